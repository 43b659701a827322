package cluster

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/experiments"
	"queens/experiments/config"
	"queens/experiments/tasktest"
)

func TestShardsArePartsOfTheGrid(t *testing.T) {
	asked := config.Spec{Name: "x", Task: "toy", Axes: config.Axes{"n": {"1..5"}}, Repeats: 4}
	runs, err := asked.Grid(tasktest.Kinds()[0])
	require.NoError(t, err)
	for k := 1; k <= 25; k++ {
		var all []experiments.Run
		for i := 1; i <= k; i++ {
			part := Shard{I: i, K: k}.Of(runs)
			assert.LessOrEqual(t, len(part), (len(runs)+k-1)/k)
			all = append(all, part...)
		}
		assert.ElementsMatch(t, runs, all, "%d shards", k)
	}
	assert.Equal(t, runs, Shard{}.Of(runs))
}

func TestParseShard(t *testing.T) {
	for _, name := range []string{"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_COUNT", "JOB_COMPLETION_INDEX"} {
		t.Setenv(name, "")
	}
	for text, want := range map[string]Shard{"": {}, "2/8": {I: 2, K: 8}, "1/1": {I: 1, K: 1}} {
		s, err := ParseShard(text)
		require.NoError(t, err)
		assert.Equal(t, want, s)
		assert.Equal(t, text, s.String())
	}
	for _, bad := range []string{"0/3", "4/3", "1", "a/b", "1/0", "-1/3", "auto", "auto/3"} {
		_, err := ParseShard(bad)
		assert.Error(t, err, bad)
	}

	t.Setenv("JOB_COMPLETION_INDEX", "0")
	s, err := ParseShard("auto/3")
	require.NoError(t, err)
	assert.Equal(t, Shard{I: 1, K: 3, From: "JOB_COMPLETION_INDEX"}, s)
	_, err = ParseShard("")
	assert.ErrorContains(t, err, "give --shard auto/K")
	t.Setenv("JOB_COMPLETION_INDEX", "")

	t.Setenv("SLURM_ARRAY_TASK_ID", "7")
	t.Setenv("SLURM_ARRAY_TASK_MIN", "5")
	t.Setenv("SLURM_ARRAY_TASK_COUNT", "4")
	s, err = ParseShard("")
	require.NoError(t, err)
	assert.Equal(t, Shard{I: 3, K: 4, From: "SLURM_ARRAY_TASK_ID"}, s)
	s, err = ParseShard("auto/8")
	require.NoError(t, err)
	assert.Equal(t, Shard{I: 7, K: 8, From: "SLURM_ARRAY_TASK_ID"}, s, "one task of an array again")
	s, err = ParseShard("2/5")
	require.NoError(t, err)
	assert.Equal(t, Shard{I: 2, K: 5}, s, "the flag overrides the scheduler")
	t.Setenv("SLURM_ARRAY_TASK_ID", "9")
	_, err = ParseShard("")
	assert.ErrorContains(t, err, "part 5 of 4")
	t.Setenv("SLURM_ARRAY_TASK_COUNT", "")
	_, err = ParseShard("")
	assert.ErrorContains(t, err, `part "9" of ""`)
}
