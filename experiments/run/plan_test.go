//go:build linux

package run

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/experiments"
	"queens/experiments/config"
	"queens/experiments/record"
)

// The time of a plan is the median of earlier runs of each point, or of all: of the user's records, or else of
// those that are shipped for the experiment where these have more of the points, or for another one of the same task.
func TestEstimateIsByMedians(t *testing.T) {
	results := t.TempDir()
	small, both := load(t, "name: x\ntask: toy\naxes: {n: 1}\nrepeats: 3\n"), load(t, "name: x\ntask: toy\naxes: {n: 1..2}\nrepeats: 3\n")
	dir := filepath.Join(results, "x")
	self, err := Self("run-one")
	require.NoError(t, err)
	estimated := func(s config.Experiment, runs []experiments.Run, dir string, from ...string) string {
		text, err := estimate(t.Context(), s, runs, self, dir, from...)
		require.NoError(t, err)
		return text
	}
	measured := func(dir string, s config.Experiment) []experiments.Run {
		st, runs, err := open(t, dir, s, record.OpenMode{})
		require.NoError(t, err)
		for i, run := range runs {
			cells := run.Task.Parameters()
			for column, cell := range map[string]string{"schema": "1", "id": run.ID, "task": "toy", "repeat": "0", "outcome": "ok",
				"position": "1", "wall_seconds": []string{"1", "100", "4"}[i], "started": record.Now(), "environment": st.Environment()} {
				cells[column] = cell
			}
			cells["repeat"] = string('0' + rune(run.Repeat))
			require.NoError(t, st.Append(record.NewRow(st.Columns, cells)))
		}
		require.NoError(t, st.Close())
		return runs
	}
	shipped := filepath.Join(results, "reference", "x")
	runs := measured(shipped, small)
	assert.Equal(t, "estimate: about 12s for 3 runs, by the records in "+shipped+"; at most 30m0s, the sum of their time limits",
		estimated(small, runs, dir))
	assert.Equal(t, "estimate: about 24s for 6 runs, by the records in "+shipped+
		", where 3 of them are guessed from those most like them; at most 1h0m0s, the sum of their time limits",
		estimated(both, both.Runs, dir))
	measured(dir, load(t, "name: x\ntask: toy\naxes: {n: 3}\nrepeats: 1\n")) // the user's own, but of other points
	assert.Contains(t, estimated(small, runs, dir), "by the records in "+shipped+";")
	require.NoError(t, os.RemoveAll(dir))

	// A configuration of another name, whose folder is below that of the shipped sets: points of the same task tell.
	root := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(root, "results"), 0o755))
	require.NoError(t, os.Rename(filepath.Join(results, "reference"), filepath.Join(root, "results", "reference")))
	assert.Equal(t, "estimate: about 12s for 3 runs, by the records in "+filepath.Join(root, "results", "reference")+
		"; at most 30m0s, the sum of their time limits", estimated(small, runs, filepath.Join(results, "mine"), filepath.Join(root, "configs")))
	assert.Equal(t, "estimate: no time, since there are no runs", estimated(small, nil, dir))
}

// Where no records tell, each point is tried once, the smallest first; points for which no time is left count as the
// smaller ones, at least. Nothing is recorded, and no outside program is started.
func TestEstimateByTrials(t *testing.T) {
	t.Parallel()
	self, err := Self("run-one")
	require.NoError(t, err)
	dir := filepath.Join(t.TempDir(), "x")
	for text, want := range map[string]string{
		"axes: {n: [2, 1]}\nrepeats: 3\n": `^estimate: about \d+s for 6 runs, by trial runs of 2 of 2 points, smallest first; at most 1h0m0s, the sum of their time limits$`,
		"axes: {n: 1..3, how: [well, slowly]}\nexclude: [{n: 1, how: slowly}]\nlimits: {wall_clock: 20s}\n": `^estimate: at least about \d+s for 5 runs, by trial runs of [2-5] of 5 points, smallest first` +
			`(, where [1-3] of them are guessed from those most like them)?; at most 1m40s, the sum of their time limits$`,
	} {
		asked := load(t, "name: x\ntask: toy\n"+text)
		got, err := estimate(t.Context(), asked, asked.Runs, self, dir)
		require.NoError(t, err)
		assert.Regexp(t, want, got)
	}
	assert.NoDirExists(t, dir)
}
