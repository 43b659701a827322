package record

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/experiments"
	"queens/experiments/config"
	"queens/experiments/tasktest"
)

// Deleted rows are missing, and a value that only they had is named.
func TestCoverageNamesWhatIsMissing(t *testing.T) {
	dir := stored(t)
	set, err := Read(dir, tasktest.Kinds())
	require.NoError(t, err)
	whole, err := set.Coverage()
	require.NoError(t, err)
	assert.Equal(t, Coverage{Runs: 4}, whole)
	assert.Empty(t, whole.String())

	gone := set.Rows[0].Cell("n")
	edit(t, dir, RecordsFile, func(text string) string {
		lines := strings.SplitAfter(text, "\n")
		return lines[0] + strings.Join(lines[2:], "")
	})
	set, err = Read(dir, tasktest.Kinds())
	require.NoError(t, err)
	less, err := set.Coverage()
	require.NoError(t, err)
	require.Len(t, less.Missing, 1)
	assert.Equal(t, gone, less.Missing[0].Task.Parameters()["n"])
	assert.Equal(t, "1 of 4 runs is missing, among them all with n = "+gone, less.String())

	set.Rows = nil
	none, err := set.Coverage()
	require.NoError(t, err)
	assert.Equal(t, "4 of 4 runs are missing", none.String())
	set.Kind = nil
	unknown, err := set.Coverage()
	require.NoError(t, err)
	assert.Zero(t, unknown.Runs, "a grid of a task that is not known cannot be made")
}

// If a task has gained an optional parameter since a set was made, it still makes the set's grid. If it has
// gained a parameter that is part of the runs' ids, it does not.
func TestCoverageOfATaskWithMoreParameters(t *testing.T) {
	set, err := Read(stored(t), tasktest.Kinds())
	require.NoError(t, err)
	for _, optional := range []bool{true, false} {
		type more struct {
			tasktest.Toy
			Further string `json:"further"`
		}
		type optionally struct {
			tasktest.Toy
			Further string `json:"further,omitempty"`
		}
		set.Kind = experiments.Kind[more]{Name: "toy", Default: more{Toy: tasktest.Toy{How: "well"}}}.Erase()
		if optional {
			set.Kind = experiments.Kind[optionally]{Name: "toy", Default: optionally{Toy: tasktest.Toy{How: "well"}}}.Erase()
		}
		set.Rows = set.Rows[:3]
		c, err := set.Coverage()
		require.NoError(t, err)
		assert.Equal(t, optional, c.Runs == 4 && len(c.Missing) == 1, c)
	}
}

// A configuration that describes one more program of any kind keeps its records.
func TestDescribedProgramsMayBeAdded(t *testing.T) {
	added := config.Described{"mine": {Command: "mine {cnf}"}}
	without := config.Spec{}
	for _, with := range []config.Spec{{Solvers: added}, {Engines: added}, {Counters: added}, {Backbones: added}} {
		assert.True(t, sameButRuns(with, without), "%v", with.Programs())
		assert.True(t, sameButRuns(without, with), "%v", with.Programs())
	}
	with := config.Spec{Backbones: added}
	changed := config.Spec{Backbones: config.Described{"mine": {Command: "other {cnf}"}}}
	assert.False(t, sameButRuns(with, changed), "its records are of another program")
}
