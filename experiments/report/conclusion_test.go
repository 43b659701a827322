package report

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/experiments/config"
	"queens/experiments/record"
	"queens/experiments/tasks"
)

// A conclusion holds only if every cell is wholly within, fails if one is wholly outside, and is not
// decided if an interval reaches over a bound or a number has no interval.
func TestVerdicts(t *testing.T) {
	file := filepath.Join(t.TempDir(), "conclusions.yaml")
	fair := estimate{2, 1.5, 2.5}
	for _, c := range []struct {
		bounds string
		cells  []estimate
		want   Verdict
	}{
		{"> 1", []estimate{fair}, Holds},
		{"> 1.5", []estimate{fair}, Undecided},
		{"< 1.6", []estimate{fair}, Undecided},
		{"< 1", []estimate{fair}, Fails},
		{"1.5 to 2.5", []estimate{fair}, Holds},
		{"1.6 to 2.5", []estimate{fair}, Undecided},
		{"= 4", []estimate{{4, 4, 4}}, Holds},
		{"= 4", []estimate{{4, 4, 4}, {5, 5, 5}}, Fails},
		{"> 1", []estimate{fair, *exactly(3)}, Undecided},
		{"> 1", []estimate{*exactly(3), {0.5, 0.4, 0.6}}, Fails},
	} {
		require.NoError(t, os.WriteFile(file, []byte("conclusions: [{claim: C, shown: [{set: s, table: T, columns: [c], value: '"+c.bounds+"'}]}]"), 0o644))
		list, err := ReadConclusions(file)
		require.NoError(t, err)
		one := table{part: part{Title: "T"}, Header: []string{"n", "c"}, names: 1}
		for _, e := range c.cells {
			one.Rows = append(one.Rows, []cell{word("1"), {number: &e, measure: "x_seconds"}})
		}
		d := NewDocuments("", nil)
		d.known["s"] = measurements{tables: map[string]Quoted{"T": {table: one}}}
		var text bytes.Buffer
		got, err := d.Judge(&text, file, list, 0)
		require.NoError(t, err)
		assert.Equal(t, c.want, got, "%s of %v:\n%s", c.bounds, c.cells, &text)
		assert.Contains(t, text.String(), c.want.String())
	}
}

// The shipped conclusions quote tables, lines and columns that their configurations make.
func TestShippedConclusionsQuoteCore(t *testing.T) {
	t.Chdir("../..") // where configurations name files
	list, err := ReadConclusions("configs/core/conclusions.yaml")
	require.NoError(t, err)
	quoted := map[string]bool{}
	for _, c := range list {
		for _, s := range c.Shown {
			asked, _, err := config.Load("configs/core/"+s.Set+".yaml", nil, tasks.Kinds())
			require.NoError(t, err, c.Claim)
			set := record.Set{Spec: asked}
			at := slices.IndexFunc(set.Spec.Report.Tables, func(t config.Table) bool {
				title, measure, _ := strings.Cut(s.Table, ": ")
				return t.Title == title && (len(t.Values) == 1) == (measure == "")
			})
			assert.GreaterOrEqual(t, at, 0, "%s: no table %q in configs/core/%s.yaml", c.Claim, s.Table, s.Set)
			quoted[s.Set+".yaml"] = true
		}
	}
	files, err := filepath.Glob("configs/core/*.yaml")
	require.NoError(t, err)
	assert.Len(t, quoted, len(files)-1, "every configuration serves a conclusion")
}
