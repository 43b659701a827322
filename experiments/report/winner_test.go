package report

import (
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/experiments/config"
	"queens/experiments/stats"
)

// The winner at a number of questions is the series whose times, added up question by question, have the
// least sum.
func TestWinners(t *testing.T) {
	set := fixture()
	asked := config.Plot{Title: "who wins", Kind: config.Winner, X: "n", Series: []string{"engine"}}
	fs, tables, err := newData(set).figures(asked)
	require.NoError(t, err)
	require.Len(t, fs, 1)
	require.Len(t, tables, 1)
	cost := func(engine, n string, questions int) (sum float64) {
		runs := 0
		for _, r := range set.Rows {
			if r.Cell("engine") != engine || r.Cell("n") != n {
				continue
			}
			runs++
			for _, phase := range []string{"encode_seconds", "build_seconds", "first_query_seconds"} {
				v, _ := r.Number(phase)
				sum += v
			}
			later, _ := r.Number("later_query_seconds")
			sum += later * float64(questions-1)
		}
		return sum / float64(runs)
	}
	winners := map[string]bool{}
	for _, row := range texts(tables[0]) {
		for i, k := range questionCounts() {
			want := "new"
			if cost("old", row[0], int(k)) < cost("new", row[0], int(k)) {
				want = "old"
			}
			assert.Equal(t, want, row[i+1], "n = %s, %g questions", row[0], k)
			winners[want] = true
		}
	}
	assert.Len(t, winners, 2, "the fixture's engines pass each other")
	for _, s := range fs[0].series {
		assert.Empty(t, s.pieces, "marks, no lines")
	}

	// A series whose runs did not all finish does not win.
	for _, r := range set.Rows {
		if r.Cell("engine") == "old" && r.Cell("n") == "5" {
			r.Set("outcome", "timeout")
			r.Set("build_seconds", "")
		}
	}
	_, tables, err = newData(set).figures(asked)
	require.NoError(t, err)
	assert.NotContains(t, texts(tables[0])[1], "old")
	assert.Contains(t, tables[0].Notes, "Without these, whose runs did not all finish: old at n = 5.")
	_, _, err = newData(set).figures(config.Plot{Title: "x", Kind: config.Winner, X: "engine", Series: []string{"engine"}})
	assert.ErrorContains(t, err, "no record has a number")
}

// A scatter plot has a point for each problem: the ratio of medians, against a quotient of found numbers.
func TestScatter(t *testing.T) {
	set := fixture()
	asked := config.Plot{Title: "against", Kind: config.Scatter, X: "size", Per: "size", Y: "build_seconds", Series: []string{"engine"}, Base: "old"}
	fs, tables, err := newData(set).figures(asked)
	require.NoError(t, err)
	require.Len(t, tables, 2)
	assert.Equal(t, []string{"n", "size, times old, new", "new"}, tables[0].Header)
	for _, row := range tables[0].Rows {
		assert.InDelta(t, 0.1, row[2].number.Center, 1e-9)
		assert.InDelta(t, 1, row[1].number.Center, 1e-9) // both engines' names have three letters
	}
	require.Len(t, fs, 1)
	for _, s := range fs[0].series {
		for _, p := range s.points {
			assert.InDelta(t, 0.1, p.Center, 1e-9)
			assert.InDelta(t, 1, p.x, 1e-9)
		}
	}
	assert.True(t, math.IsNaN(median(nil, "size")), "no records")
}

// The threshold is the one with the fewest mistakes in one half of the decided problems, and the others test it.
func TestPredict(t *testing.T) {
	var points []predicted
	for i := range 20 {
		ratio := 2.0
		if x := i + 1; x > 10 {
			ratio = 0.5
		}
		points = append(points, predicted{float64(i + 1), &stats.Ratio{Estimate: *stats.Exactly(ratio), Differs: true}, strconv.Itoa(i + 1)})
	}
	points[17].ratio = &stats.Ratio{Estimate: *stats.Exactly(2), Differs: true} // 18, which tests
	points = append(points, predicted{3.5, &stats.Ratio{Estimate: *stats.Exactly(0.9)}, "level"})
	row, wrong := predict(points)
	assert.Equal(t, []string{"20", "10", "9.95", "10", "8", "6"}, texted(row))
	assert.Equal(t, []string{"10", "18"}, wrong, "10 is beside the threshold")
	row, _ = predict(points[:1])
	assert.Equal(t, []string{"1", notKnown, notKnown, notKnown, notKnown, notKnown}, texted(row))
}
