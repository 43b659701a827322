//go:build linux

package run

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/experiments/record"
)

// The time of a plan is the median of earlier runs of each point, or of all: of the user's records, or else of
// those that are shipped for the experiment, or for another one of the same task.
func TestEstimateIsByMedians(t *testing.T) {
	results := t.TempDir()
	small, both := load(t, "name: x\ntask: toy\naxes: {n: 1}\nrepeats: 3\n"), load(t, "name: x\ntask: toy\naxes: {n: 1..2}\nrepeats: 3\n")
	dir := filepath.Join(results, "x")
	st, runs, err := open(t, filepath.Join(results, "reference", "x"), small, record.OpenMode{})
	require.NoError(t, err)
	assert.Equal(t, "estimate: not known, since no earlier runs of task toy are here; at most 30m0s, the sum of their time limits",
		estimate(small, runs, dir))
	for i, run := range runs {
		cells := run.Task.Parameters()
		for column, cell := range map[string]string{"schema": "1", "id": run.ID, "task": "toy", "repeat": "0", "outcome": "ok",
			"position": "1", "wall_seconds": []string{"1", "100", "4"}[i], "started": record.Now(), "environment": st.Environment()} {
			cells[column] = cell
		}
		cells["repeat"] = string('0' + rune(run.Repeat))
		require.NoError(t, st.Append(record.NewRow(st.Columns, cells)))
	}
	shipped := filepath.Join(results, "reference", "x")
	assert.Equal(t, "estimate: about 12s for 3 runs, by the records in "+shipped+"; at most 30m0s, the sum of their time limits",
		estimate(small, runs, dir))
	assert.Equal(t, "estimate: about 24s for 6 runs, by the records in "+shipped+
		", where 3 of them have no record, and count as those most like them; at most 1h0m0s, the sum of their time limits",
		estimate(both, both.Runs, dir))

	// A configuration of another name, whose folder is below that of the shipped sets: points of the same task tell.
	root := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(root, "results"), 0o755))
	require.NoError(t, os.Rename(filepath.Join(results, "reference"), filepath.Join(root, "results", "reference")))
	assert.Equal(t, "estimate: about 12s for 3 runs, by the records in "+filepath.Join(root, "results", "reference")+
		"; at most 30m0s, the sum of their time limits", estimate(small, runs, filepath.Join(results, "mine"), filepath.Join(root, "configs")))
	assert.Equal(t, "estimate: no time, since there are no runs", estimate(small, nil, dir))
}
