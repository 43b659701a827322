package tasks

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/experiments"
	"queens/internal/system"
)

func TestSolveCountsItsTries(t *testing.T) {
	processor := func() time.Duration { user, kernel := system.ProcessorTime(); return user + kernel }
	run := func(task experiments.Task) SolveResult {
		finding, err := task.Run(context.Background(), &experiments.Meter{Processor: processor})
		require.NoError(t, err)
		assert.Empty(t, finding.Answer, "any solution is as good as another")
		result := finding.Values.(SolveResult)
		assert.Equal(t, judged(result.Found > 0), finding.CheckedBy)
		return result
	}
	got := run(made(t, "solve", params{"n": 50, "method": "min-conflicts", "init": "random", "searches": 20, "tries": 100}))
	assert.Equal(t, 20, got.Found)
	assert.Zero(t, got.Limited)
	assert.InDelta(t, got.Steps/50, got.StepsPerQueen, 1e-9)
	assert.LessOrEqual(t, got.StepsMedian, got.StepsMax)
	assert.Positive(t, got.StepsMedian)
	assert.LessOrEqual(t, got.SetUpSeconds+got.RepairSeconds, got.SolveSeconds)
	assert.Positive(t, got.SolveCPU)

	got = run(made(t, "solve", params{"n": 50, "method": "most-conflicts", "init": "random", "searches": 5, "tries": 4}))
	assert.Equal(t, 15, got.Restarts)
	assert.Equal(t, 1.0, got.Stuck)
	assert.Zero(t, got.Found)

	got = run(made(t, "solve", params{"n": 1000, "method": "swap", "init": "permutation", "searches": 3, "tries": 1}))
	assert.Equal(t, 3, got.Found)
	got = run(made(t, "solve", params{"n": 6, "method": "swap", "init": "permutation", "searches": 200, "tries": 2, "limit": 1}))
	assert.InDelta(t, 1-float64(got.Found)/float64(200+got.Restarts), got.Limited, 1e-9)
	assert.EqualValues(t, 12, got.StepsMax)

	got = run(made(t, "solve", params{"n": 3, "method": "swap", "init": "greedy", "searches": 2, "tries": 5}))
	assert.Zero(t, got.Found+got.Restarts)

	assert.False(t, exists(t, made(t, "solve", params{"method": "swap", "init": "random"})))
	assert.True(t, exists(t, made(t, "solve", params{"method": "min-conflicts", "init": "random"})))
	assert.Equal(t, run(made(t, "solve", params{"n": 20, "method": "swap", "init": "greedy", "seed": 3, "searches": 5, "tries": 9})).Steps,
		run(made(t, "solve", params{"n": 20, "method": "swap", "init": "greedy", "seed": 3, "searches": 5, "tries": 9})).Steps)
}
