//go:build linux

package run

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/experiments/record"
)

// The time of a plan is the median of earlier runs of each point, or of all: of the user's records, or else of
// those that are shipped for the experiment.
func TestEstimateIsByMedians(t *testing.T) {
	results := t.TempDir()
	small, both := load(t, "name: x\ntask: toy\naxes: {n: 1}\nrepeats: 3\n"), load(t, "name: x\ntask: toy\naxes: {n: 1..2}\nrepeats: 3\n")
	dir := filepath.Join(results, "x")
	st, runs, err := open(t, filepath.Join(results, "reference", "x"), small, record.OpenMode{})
	require.NoError(t, err)
	assert.Equal(t, "estimate: at most 30m0s, the time limits of all runs together; no earlier runs tell more",
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
	assert.Equal(t, "estimate: about 12s for 3 runs, by the records in "+shipped, estimate(small, runs, dir))
	assert.Equal(t, "estimate: about 24s for 6 runs, by the records in "+shipped+
		"; 3 of them have no record, and count as the median of the others (at most 30m0s)", estimate(both, both.Runs, dir))
	assert.Equal(t, "estimate: no time, since there are no runs", estimate(small, nil, dir))
}
