package config

import (
	"encoding/json"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/experiments/tasktest"
)

func TestExclusionOfBigNumbers(t *testing.T) {
	var e Conditions
	require.NoError(t, json.Unmarshal([]byte(`{"n": [1000000, 10000000]}`), &e))
	for n, want := range map[string]bool{"100000": false, "1000000": true, "10000000": true} {
		out, err := e.Meets(func(string) string { return n })
		require.NoError(t, err)
		assert.Equal(t, want, out, n)
	}
}

func TestExpressions(t *testing.T) {
	known := func(axis string) string { return map[string]string{"n": "9"}[axis] }
	for text, want := range map[string][]int64{
		"4..6": {4, 5, 6}, "0..n/2": {0, 1, 2, 3, 4}, "n-1..n+1": {8, 9, 10}, "n*3/4..n*2-10": {6, 7, 8},
		"n*2..20 step 2":   {18, 20},
		"1..1000 times 10": {1, 10, 100, 1000}, "n..2": nil, "-2..0": {-2, -1, 0}, "4": {4}, "n": {9},
	} {
		got, err := integers(text, known)
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
	}
	for _, bad := range []string{"3..2", "1..m", "0..n/0", "0..9 times 10", "1..9 times 1", "0..1000000000",
		"4...6", "a b..3", "4..6 step 0"} {
		_, err := integers(bad, known)
		assert.Error(t, err, bad)
	}
	for text, want := range map[string]bool{"> 4": true, "<n/2": true, ">=5": true, "!= 5": false, "<= 4": false} {
		got, err := meets("5", text, func(string) string { return "12" })
		require.NoError(t, err)
		assert.Equal(t, want, got, text)
	}
}

// TestJudge holds Judge against Meets, for random conditions and points.
func TestJudge(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	pick := func(words ...string) string { return words[random.IntN(len(words))] }
	axes := []string{"n", "placed", "order", "seed"}
	for range 200 {
		e := Conditions{}
		for range 1 + random.IntN(3) {
			e[pick("n", "placed", "seed")] = pick("3", "n", "placed", "n/2", "> seed", "<= placed-1", "!= n*3/4")
		}
		if random.IntN(2) == 0 {
			e["order"] = []any{pick("rows", "random:1"), "n"}
		}
		judge := e.Judge(axes)
		for range 30 {
			point := map[string]string{"n": pick("3", "4", "6"), "placed": pick("2", "3"), "seed": pick("1", "5"), "order": pick("rows", "n", "random:1")}
			known := func(axis string) string { return point[axis] }
			want, err := e.Meets(known)
			require.NoError(t, err)
			got, err := judge(known)
			require.NoError(t, err)
			require.Equal(t, want, got, "%v at %v", e, point)
		}
	}
}

// A grid that is far too large is refused before it is made.
func TestHugeGridIsRefusedAtOnce(t *testing.T) {
	spec := Spec{Task: "toy", Repeats: 1, Axes: Axes{"n": {"1..1000"}, "seed": {"1..1000000"}}}
	allocated := testing.AllocsPerRun(1, func() {
		_, _, err := spec.grid(tasktest.Kinds()[0])
		require.ErrorContains(t, err, "the grid has more than 1000000 points or runs")
	})
	assert.Less(t, allocated, 10_000.0, "no point is made")
}

// Neither do exclusions make points, nor are they tried without end.
func TestHugeGridWithExclusionsIsRefused(t *testing.T) {
	exclude := func(text string) (e Conditions) {
		require.NoError(t, json.Unmarshal([]byte(text), &e))
		return e
	}
	for _, example := range []struct {
		axes    Axes
		exclude string
		want    string
		points  float64 // that are tried
	}{
		{Axes{"n": {"4..8"}, "seed": {"1..1000000"}}, `{"n": 4}`, "the grid has more than 1000000 points or runs", 2e6},
		{Axes{"n": {"4..8"}, "seed": {"1..1000000"}}, `{"n": 4, "seed": "> 3"}`, "the grid has more than 1000000 points or runs", 2e6},
		{Axes{"n": {"1..120"}, "seed": {"1..90000"}}, `{"seed": "> 3"}`, "more than 10000000 points are tried", 1e7},
	} {
		if testing.Short() && example.exclude != `{"n": 4}` {
			continue // the others take seconds
		}
		spec := Spec{Task: "toy", Repeats: 1, Axes: example.axes, Exclude: []Conditions{exclude(example.exclude)}}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		runs, _, err := spec.grid(tasktest.Kinds()[0])
		runtime.ReadMemStats(&after)
		require.ErrorContains(t, err, example.want)
		assert.Empty(t, runs)
		assert.Less(t, float64(after.TotalAlloc-before.TotalAlloc), 500*example.points, "%s: a point takes hundreds of bytes", example.exclude)
	}
}

// The points are counted as they are made, for random axes and exclusions.
func TestPointsAreCounted(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	pick := func(words ...any) any { return words[random.IntN(len(words))] }
	made := 0
	for range 300 {
		spec := Spec{Task: "toy", Repeats: 1, Axes: Axes{"n": {pick("4..8", "5", "3..9 step 2")}}}
		for _, axis := range []string{"small", "seed", "how"} {
			if random.IntN(3) > 0 {
				spec.Axes[axis] = map[string]Axis{"small": {pick("0..n", "n/2..n+1", "1")}, "seed": {pick("1..n", "small..3", "7")}, "how": {"well", "error"}}[axis]
			}
		}
		for range random.IntN(3) {
			spec.Exclude = append(spec.Exclude, Conditions{pick("n", "small", "seed").(string): pick("> 4", "n", "< n/2", "3"), "how": "well"})
		}
		g := newGrid(spec, tasktest.Kinds()[0])
		counted := g.count(0, map[string]string{})
		g.expand(0, map[string]string{})
		if len(g.mistakes) == 0 {
			made++
			require.Equal(t, g.points, counted, "%v without %v", spec.Axes, spec.Exclude)
		}
	}
	assert.Greater(t, made, 100)
}
