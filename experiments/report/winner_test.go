package report

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/experiments"
	"queens/experiments/config"
	"queens/experiments/record"
	"queens/experiments/stats"
)

// The winner at a number of questions is the series whose times, added up question by question, have the
// least sum, where all runs show it.
func TestWinners(t *testing.T) {
	set := fixture()
	asked := config.Plot{Title: "who wins", Kind: config.Winner, X: "n", Series: []string{"engine"}}
	fs, tables, err := newData(set).plotted(asked)
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
	for column, row := range texts(tables[0]) {
		for i, k := range fs[0].tiles.steps {
			want := "new"
			if cost("old", row[0], int(k)) < cost("new", row[0], int(k)) {
				want = "old"
			}
			assert.Equal(t, want, row[i+1], "n = %s, %g questions", row[0], k)
			assert.Equal(t, want, fs[0].tiles.at[column][i].winner)
			winners[want] = true
		}
	}
	assert.Len(t, winners, 2, "the fixture's engines pass each other")
	assert.Equal(t, []string{"4", "5"}, fs[0].tiles.columns)

	// A series whose runs did not all finish does not win.
	for _, r := range set.Rows {
		if r.Cell("engine") == "old" && r.Cell("n") == "5" {
			r.Set("outcome", "timeout")
			r.Set("build_seconds", "")
		}
	}
	_, tables, err = newData(set).plotted(asked)
	require.NoError(t, err)
	assert.NotContains(t, texts(tables[0])[1], "old")
	assert.Contains(t, tables[0].Notes, "Without these, whose runs did not all finish: old at n = 5.")
	_, _, err = newData(set).plotted(config.Plot{Title: "x", Kind: config.Winner, X: "engine", Series: []string{"engine"}})
	assert.ErrorContains(t, err, "no record has a number")

	// With fewer than six sessions nobody wins.
	set = fixture()
	set.Rows = slices.DeleteFunc(set.Rows, func(r record.Row) bool { return r.Cell("n") == "5" && r.Cell("repeat") > "4" })
	_, tables, err = newData(set).plotted(asked)
	require.NoError(t, err)
	assert.Equal(t, "too few runs", texts(tables[0])[1][1])
	assert.Equal(t, "new", texts(tables[0])[0][1])
	assert.Contains(t, tables[0].Notes, "Not known where a way has fewer than 6 runs: n = 5 (5).")
}

// Noise wins about as rarely as the test promises; a clear lead always wins.
func TestNoiseDoesNotWin(t *testing.T) {
	const seed, trials = 9, 300
	random := rand.New(rand.NewPCG(seed, 0))
	ways := func(factors ...float64) (list []way) {
		for i, factor := range factors {
			w := way{name: strconv.Itoa(i)}
			for unit := range 12 {
				w.Units = append(w.Units, strconv.Itoa(unit))
				w.Runs = append(w.Runs, stats.Cost{First: factor * math.Exp(random.NormFloat64()/4)})
			}
			list = append(list, w)
		}
		return list
	}
	named, level := 0, 0
	for range trials {
		if bestWay(ways(1, 1, 1), 1, seed).winner != "" {
			named++
		}
		require.Equal(t, "1", bestWay(ways(2, 1, 2.5), 1, seed).winner, "seed %d", seed)
		if slices.Equal(bestWay(ways(1, 3, 1), 1, seed).level, []string{"0", "2"}) {
			level++
		}
	}
	assert.Less(t, named, trials/20, "seed %d: three equal ways", seed)
	assert.Greater(t, level, trials*9/10, "seed %d: two equal ways, and one that takes longer", seed)
}

// Where records have sessions, a map of winners counts them, and so does a break-even: the builder's 90 ms are paid
// back by 1 ms a session.
func TestSessionsAreCounted(t *testing.T) {
	set := fixture()
	set.Rows = record.Widened(set.Rows, sessionColumn, "")
	set.Columns = append(slices.Clone(set.Columns), experiments.Column{Name: sessionColumn, Role: experiments.Measurement, Type: experiments.TypeNumber})
	for i, r := range set.Rows {
		costs := map[string][2]float64{"old": {0.1, 0.002}, "new": {0.01, 0.003}}[r.Cell("engine")]
		noise := float64(i%10-5) / 1e5
		r.Set("build_seconds", strconv.FormatFloat(costs[0], 'g', -1, 64))
		r.Set(sessionColumn, strconv.FormatFloat(costs[1]+noise, 'g', -1, 64))
		r.Set("later_query_seconds", "")
	}
	asked := config.Plot{Title: "sessions", Kind: config.BreakEven, X: "n", Y: sessionColumn, Series: []string{"engine"}, Base: "old"}
	_, tables, err := newData(set).plotted(asked)
	require.NoError(t, err)
	assert.Equal(t, []string{"n", "old build", "old session", "against new"}, tables[0].Header)
	assert.Equal(t, "90", tables[0].Rows[0][3].value)
	assert.Contains(t, tables[0].Notes[0], "Number of sessions from which")
	asked.Kind = config.Winner
	fs, tables, err := newData(set).plotted(asked)
	require.NoError(t, err)
	assert.Equal(t, "10,000", tables[0].Header[len(tables[0].Header)-1])
	assert.Equal(t, []string{"4", "new", "new", "new", "new", "new", "new", "old", "old"}, texts(tables[0])[0][:9])
	svg, err := fs[0].asSVG()
	require.NoError(t, err)
	assert.Contains(t, string(svg), ">sessions<")
}

// Areas of one name are found, and each has its name where it has the most room.
func TestTiles(t *testing.T) {
	m := &tiles{columns: []string{"1", "2", "3"}, steps: steps125(10), at: [][]tile{
		{{winner: "a"}, {winner: "a"}, {winner: "b"}, {winner: "b"}},
		{{winner: "a"}, {level: []string{"a", "b"}}, {winner: "b"}, {winner: "a"}},
		{{winner: "a"}, {winner: "a"}, {winner: "a"}, {winner: "a"}},
	}}
	assert.Equal(t, []float64{1, 2, 5, 10}, m.steps)
	var sizes []int
	for _, area := range m.areas() {
		sizes = append(sizes, len(area))
	}
	assert.Equal(t, []int{8, 3, 1}, sizes, "a, around its corner; b; the level tile")
	assert.Contains(t, m.blocks(m.areas()[0]), block{0, 2, 0, 0})
	assert.Contains(t, m.blocks(m.areas()[0]), block{2, 2, 0, 3})
	low, high := m.edges(1)
	assert.InDelta(t, math.Sqrt2, low, 1e-9)
	assert.InDelta(t, math.Sqrt(10), high, 1e-9)

	f := newFigure(config.Plot{Title: "map"}, "n", "questions")
	f.tiles = m
	f.plot.Add(m)
	f.plot.NominalX(m.columns...)
	scaleAxis(&f.plot.Y, true, "", nil, 2)
	dress([]*figure{f})
	assert.Equal(t, map[string]int{"a": 0, "b": 1}, m.styles)
	var err error
	f.svg, err = f.asSVG()
	require.NoError(t, err)
	for _, name := range []string{">a<", ">b<", ">a, b<"} {
		assert.Equal(t, map[string]int{">a<": 2, ">b<": 2, ">a, b<": 1}[name], strings.Count(string(f.svg), name), name)
	}
	assert.Equal(t, 12, strings.Count(string(f.SVG()), `<rect class="point"`), "each tile can be pointed at")
}

// A scatter plot has a point for each problem: the ratio of medians, against a quotient of found numbers.
func TestScatter(t *testing.T) {
	set := fixture()
	asked := config.Plot{Title: "against", Kind: config.Scatter, X: "size", Per: "size", Y: "build_seconds", Series: []string{"engine"}, Base: "old"}
	fs, tables, err := newData(set).plotted(asked)
	require.NoError(t, err)
	require.Len(t, tables, 2)
	assert.Equal(t, []string{"n", "size, times old, new", "new"}, tables[0].Header)
	for _, row := range tables[0].Rows {
		assert.InDelta(t, 0.1, row[2].number.Center, 1e-9)
		assert.InDelta(t, 1, row[1].number.Center, 1e-9) // both engines' names have three letters
	}
	require.Len(t, fs, 1)
	for _, s := range fs[0].curves {
		for _, p := range s.points {
			assert.InDelta(t, 0.1, p.Center, 1e-9)
			assert.InDelta(t, 1, p.x, 1e-9)
		}
	}
	assert.True(t, math.IsNaN(newData(set).medianOf(nil, "size")), "no records")
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

// A map that leaves out a way which wins or is level somewhere is refused, by name; one that leaves out a loser says so. A
// picture of several ways does not show one of them by its weaker method alone.
func TestNobodyIsLeftOutSilently(t *testing.T) {
	set := fixture()
	for _, r := range set.Rows[:len(set.Rows):len(set.Rows)] {
		if r.Cell("engine") == "old" {
			for engine, factor := range map[string]float64{"gini": 100, "gini with memory": 50} {
				row := copied(r)
				row.Set("engine", engine)
				for _, c := range []string{"build_seconds", "first_query_seconds", "later_query_seconds"} {
					v, _ := r.Number(c)
					row.Set(c, strconv.FormatFloat(v*factor, 'g', -1, 64))
				}
				set.Rows = append(set.Rows, row)
			}
		}
	}
	set.Columns = append(slices.Clone(set.Columns), experiments.Column{Name: "copy", Role: experiments.Origin})
	of := func(kind config.PlotKind, engines ...any) (config.Plot, error) {
		asked := config.Plot{Title: "who", Kind: kind, X: "n", Series: []string{"engine"}, Where: config.Conditions{"engine": engines}}
		if kind == config.Lines {
			asked.Y = "build_seconds"
		}
		fs, _, err := newData(set).plotted(asked)
		if err == nil {
			require.NotEmpty(t, fs)
			left := "Not shown, though they answered the same questions: "
			assert.True(t, slices.ContainsFunc(fs[0].Notes, func(n string) bool { return strings.HasPrefix(n, left) }), "%v", fs[0].Notes)
		}
		return asked, err
	}
	_, err := of(config.Winner, "old", "gini", "gini with memory")
	assert.ErrorContains(t, err, `plot "who": it leaves out new, which may be the best at n = 4 for 1 questions`)
	_, err = of(config.Winner, "old", "new")
	require.NoError(t, err)
	_, err = of(config.Lines, "new", "gini")
	assert.ErrorContains(t, err, "it shows SAT without gini with memory, which takes less at 2 of 2 values of n")
	for _, shown := range [][]any{{"new", "gini with memory"}, {"new", "old"}} {
		_, err = of(config.Lines, shown...)
		require.NoError(t, err, "%v", shown)
	}
}

// Each way has its colour, whatever stands beside it; a picture of many methods of one way has a colour for each.
func TestWaysKeepTheirColours(t *testing.T) {
	figureOf := func(names ...string) (f *figure) {
		f = new(figure)
		for _, name := range names {
			f.curves = append(f.curves, &curve{line: line{name: name, key: name}})
		}
		return f
	}
	colourOf := func(f *figure) (list []int) {
		for _, s := range f.curves {
			list = append(list, s.style%maxSeries)
		}
		return list
	}
	a, b := figureOf("other", "MDD", "search with openings", "search"), figureOf("list", "d-DNNF", "gini, with memory", "ZDD sweep")
	dress([]*figure{a})
	dress([]*figure{b})
	assert.Equal(t, []int{2, 0, 0}, colourOf(a)[1:])
	assert.NotContains(t, []int{2, 0}, colourOf(a)[0])
	assert.NotEqual(t, a.curves[2].style, a.curves[3].style)
	assert.Equal(t, []int{7, 5, 4, 1}, colourOf(b))
	many := figureOf("gini, a", "gini, b", "gini, c", "gini, d")
	dress([]*figure{many})
	assert.Len(t, slices.Compact(slices.Sorted(slices.Values(colourOf(many)))), 4)
	for label, want := range map[string]string{"SAT, its best": "SAT", "search and ZDD": "", "saturated": "", "MDD with openings": "MDD"} {
		way, _ := wayOf(label)
		assert.Equal(t, want, way, label)
	}
}
