package report

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"queens/experiments/config"
	"queens/experiments/record"
	"queens/experiments/tasks"
)

// TestLargeSet writes a record set of 50,000 runs to a folder, for measuring how long its report takes: those of
// break-even, with more seeds and with times that differ a little. It needs the folder's name in LARGE_SET.
func TestLargeSet(t *testing.T) {
	dir := os.Getenv("LARGE_SET")
	if dir == "" {
		t.Skip("writes 30 MB: LARGE_SET names the folder")
	}
	const from = "../../results/reference/break-even"
	set, err := record.Read(from, tasks.Kinds())
	require.NoError(t, err)
	point := func(of func(string) string) string {
		var words []string
		for _, p := range set.Columns.In("parameter") {
			if p != "seed" {
				words = append(words, of(p))
			}
		}
		return strings.Join(words, " ")
	}
	byPoint := map[string][]record.Row{}
	for _, r := range set.Rows {
		byPoint[point(r.Cell)] = append(byPoint[point(r.Cell)], r)
	}
	set.Spec.Axes["seed"] = config.Axis{"1..200"}
	runs, err := set.Spec.Grid(set.Kind)
	require.NoError(t, err)
	require.Greater(t, len(runs), 50_000)
	var text strings.Builder
	w := csv.NewWriter(&text)
	names := set.Columns.Names()
	require.NoError(t, w.Write(names))
	for i, run := range runs {
		has := run.Task.Parameters()
		like := byPoint[point(func(p string) string { return has[p] })]
		require.NotEmpty(t, like)
		r := copied(like[i%len(like)])
		r.Set("id", run.ID)
		r.Set("seed", has["seed"])
		r.Set("position", fmt.Sprint(run.Position))
		for _, c := range set.Columns.In("measurement") {
			if v, ok := r.Number(c); ok && unit(c) == "s" {
				r.Set(c, fmt.Sprint(v*(1+float64(i%101)/1000)))
			}
		}
		var line []string
		for _, c := range names {
			line = append(line, r.Cell(c))
		}
		require.NoError(t, w.Write(line))
	}
	w.Flush()
	require.NoError(t, os.MkdirAll(dir, 0o755))
	configuration, err := set.Spec.YAML()
	require.NoError(t, err)
	environments, err := os.ReadFile(filepath.Join(from, record.EnvFile))
	require.NoError(t, err)
	for name, data := range map[string][]byte{record.ConfigFile: configuration, record.EnvFile: environments, record.RecordsFile: []byte(text.String())} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), data, 0o644))
	}
	require.True(t, slices.Contains(names, "seed"))
}

// BenchmarkLarge makes the report of the set in the folder LARGE_SET: see TestLargeSet.
func BenchmarkLarge(b *testing.B) {
	dir := os.Getenv("LARGE_SET")
	if dir == "" {
		b.Skip("needs the set of TestLargeSet")
	}
	b.ReportAllocs()
	for b.Loop() {
		set, err := record.Read(dir, tasks.Kinds())
		require.NoError(b, err)
		_, err = Build(set, Options{})
		require.NoError(b, err)
	}
}
