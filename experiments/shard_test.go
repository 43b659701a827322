package experiments

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestShardsArePartsOfTheGrid(t *testing.T) {
	runs, err := load(t, "name: x\ntask: toy\naxes: {n: 1..5}\nrepeats: 4\n").Grid(toys)
	require.NoError(t, err)
	for k := 1; k <= 25; k++ {
		var all []Run
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
	for _, name := range []string{"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_STEP", "JOB_COMPLETION_INDEX"} {
		t.Setenv(name, "")
	}
	for text, want := range map[string]Shard{"": {}, "2/8": {I: 2, K: 8}, "1/1": {I: 1, K: 1}} {
		s, err := ParseShard(text)
		require.NoError(t, err)
		assert.Equal(t, want, s)
		assert.Equal(t, text, s.String())
	}
	for _, bad := range []string{"0/3", "4/3", "1", "a/b", "1/0", "-1/3", "auto", "auto/3", "1/9999999"} {
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
	t.Setenv("SLURM_ARRAY_TASK_MIN", "1")
	t.Setenv("SLURM_ARRAY_TASK_COUNT", "4")
	t.Setenv("SLURM_ARRAY_TASK_STEP", "3")
	s, err = ParseShard("")
	require.NoError(t, err)
	assert.Equal(t, Shard{I: 3, K: 4, From: "SLURM_ARRAY_TASK_ID"}, s)
	s, err = ParseShard("2/5")
	require.NoError(t, err)
	assert.Equal(t, Shard{I: 2, K: 5}, s, "what is asked for outweighs the scheduler")
	t.Setenv("SLURM_ARRAY_TASK_STEP", "2")
	t.Setenv("SLURM_ARRAY_TASK_ID", "6")
	_, err = ParseShard("")
	assert.ErrorContains(t, err, "SLURM_ARRAY_TASK_ID=6 is not one of 4 tasks from 1 in steps of 2")
	t.Setenv("SLURM_ARRAY_TASK_COUNT", "")
	_, err = ParseShard("")
	assert.ErrorContains(t, err, `SLURM_ARRAY_TASK_COUNT=""`)
}

func TestExpressions(t *testing.T) {
	known := map[string]int64{"n": 9}
	for text, want := range map[string][]int64{
		"4..6": {4, 5, 6}, "0..n/2": {0, 1, 2, 3, 4}, "n-1..n+1": {8, 9, 10}, "n*2..20 step 2": {18, 20},
		"1..1000 times 10": {1, 10, 100, 1000}, "3..2": nil, "-2..0": {-2, -1, 0},
	} {
		got, isRange, err := expandRange(text, known)
		require.NoError(t, err, text)
		assert.True(t, isRange, text)
		assert.Equal(t, want, got, text)
	}
	for _, bad := range []string{"1..m", "0..n/0", "0..9 times 10", "1..9 times 1", "0..1000000000"} {
		_, isRange, err := expandRange(bad, known)
		assert.True(t, isRange, bad)
		assert.Error(t, err, bad)
	}
	for _, no := range []string{"4", "4...6", "a b..3", "4..6 step 0", "n"} {
		_, isRange, _ := expandRange(no, known)
		assert.False(t, isRange, no)
	}
	for text, want := range map[string]bool{"> 4": true, "<n/2": true, ">=5": true, "!= 5": false, "<= 4": false} {
		got, is, err := meets(5, text, map[string]int64{"n": 12})
		require.NoError(t, err)
		assert.True(t, is)
		assert.Equal(t, want, got, text)
	}
}
