package tasks

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/experiments"
)

func TestSolveCountsItsTries(t *testing.T) {
	run := func(task *Solve) SolveResult {
		finding, err := task.Run(context.Background(), &experiments.Meter{})
		require.NoError(t, err)
		assert.Empty(t, finding.Answer, "any solution is as good as another")
		result := finding.Values.(SolveResult)
		assert.Equal(t, judged(result.Found > 0), finding.CheckedBy)
		return result
	}
	got := run(&Solve{N: 50, Method: "min-conflicts", Init: "random", Searches: 20, Tries: 100})
	assert.Equal(t, 20, got.Found)
	assert.Zero(t, got.Limited)
	assert.InDelta(t, got.Steps/50, got.StepsPerQueen, 1e-9)
	assert.LessOrEqual(t, got.StepsMedian, got.StepsMax)
	assert.Positive(t, got.StepsMedian)
	assert.LessOrEqual(t, got.SetUpSeconds+got.RepairSeconds, got.SolveSeconds)
	assert.Positive(t, got.SolveCPU)

	got = run(&Solve{N: 50, Method: "most-conflicts", Init: "random", Searches: 5, Tries: 4})
	assert.Equal(t, 15, got.Restarts)
	assert.Equal(t, 1.0, got.Stuck)
	assert.Zero(t, got.Found)

	got = run(&Solve{N: 1000, Method: "swap", Init: "permutation", Searches: 3, Tries: 1})
	assert.Equal(t, 3, got.Found)
	got = run(&Solve{N: 6, Method: "swap", Init: "permutation", Searches: 200, Tries: 2, Limit: 1})
	assert.InDelta(t, 1-float64(got.Found)/float64(200+got.Restarts), got.Limited, 1e-9)
	assert.EqualValues(t, 12, got.StepsMax)

	got = run(&Solve{N: 3, Method: "swap", Init: "greedy", Searches: 2, Tries: 5})
	assert.Zero(t, got.Found+got.Restarts)

	assert.False(t, (&Solve{Method: "swap", Init: "random"}).Normalise())
	assert.True(t, (&Solve{Method: "min-conflicts", Init: "random"}).Normalise())
	assert.Equal(t, run(&Solve{N: 20, Method: "swap", Init: "greedy", Seed: 3, Searches: 5, Tries: 9}).Steps,
		run(&Solve{N: 20, Method: "swap", Init: "greedy", Seed: 3, Searches: 5, Tries: 9}).Steps)
}
