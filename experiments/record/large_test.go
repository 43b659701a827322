package record

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"queens/experiments/config"
	"queens/experiments/tasktest"
)

// large is a configuration of 50,000 runs.
const large = "name: large\ntask: toy\naxes: {n: 1..100, small: 1, seed: 1..500}\n"

// BenchmarkResume loads a configuration of 50,000 runs and opens its complete record set.
func BenchmarkResume(b *testing.B) {
	kinds := tasktest.Kinds()
	file, dir := filepath.Join(b.TempDir(), "large.yaml"), filepath.Join(b.TempDir(), "large")
	require.NoError(b, os.WriteFile(file, []byte(large), 0o644))
	asked, err := config.Load(file, nil, kinds)
	require.NoError(b, err)
	env := Observe(asked.Spec)
	st, err := Open(dir, asked, env, OpenMode{})
	require.NoError(b, err)
	for _, run := range asked.Runs { // written at once: Append syncs each
		cells := run.Task.Parameters()
		for column, cell := range map[string]string{
			"schema": SchemaVersion, "id": run.ID, "task": "toy", "repeat": "0", "outcome": "ok", "answer": "9", "agree": "yes", "checked_by": "school",
			"build_seconds": fmt.Sprint(0.25 / float64(run.Position)), "wall_seconds": fmt.Sprint(0.5 / float64(run.Position)),
			"position": fmt.Sprint(run.Position), "started": env.Started, "load": "0.5", "environment": env.ID,
		} {
			cells[column] = cell
		}
		st.Rows = append(st.Rows, NewRow(st.Columns, cells))
	}
	require.NoError(b, st.replace())
	require.NoError(b, st.Close())
	b.ReportAllocs()
	for b.Loop() {
		asked, err := config.Load(file, nil, kinds)
		require.NoError(b, err)
		st, err := Open(dir, asked, env, OpenMode{Resume: true})
		require.NoError(b, err)
		require.Empty(b, st.Missing(asked.Runs))
		require.NoError(b, st.Close())
	}
}
