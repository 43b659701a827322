package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/experiments"
	"queens/experiments/config"
	"queens/experiments/record"
)

// kind has the fixture's columns.
var kind = experiments.Kind[toy]{
	Name: "toy",
	Result: struct {
		Size  int   `json:"size"`
		Shape []int `json:"shape"`
	}{},
}.Erase()

type toy struct {
	N      int    `json:"n"`
	Engine string `json:"engine"`
	Seed   int    `json:"seed"`
}

// fixture makes a record set: engines old and new, n = 4, 5, ten repeats. Times are exact, so
// medians are known: the new engine's builds take n ms and the old one's 10n ms, each spread
// evenly over a hundredth.
func fixture() record.Set {
	set := record.Set{
		Dir: "fixture", Columns: kind.Columns(),
		Spec: config.Spec{
			Name: "fixture", Question: "Is new <better> than old & by how much?", Task: "toy",
			Axes:    config.Axes{"n": {4, 5}, "engine": {"old", "new"}},
			Repeats: 10,
			Limits:  config.Limits{WallClock: config.Duration(time.Second), Memory: 1 << 30},
		},
		Environments: []record.Environment{{ID: "e", CPU: "abacus", Cores: 2, Revision: "r", Modified: "false",
			Started: "2026-01-01T00:00:00Z"}},
	}
	for _, n := range []int{4, 5} {
		for _, engine := range []string{"old", "new"} {
			for repeat := range 10 {
				build := float64(n) / 1000 * (1 + float64(repeat-5)/1000)
				if engine == "old" {
					build *= 10
				}
				set.Rows = append(set.Rows, record.NewRow(set.Columns, map[string]string{
					"schema": "1", "id": fmt.Sprintf("%d%s%d", n, engine, repeat), "task": "toy",
					"n": fmt.Sprint(n), "engine": engine, "seed": fmt.Sprint(repeat % 2), "repeat": fmt.Sprint(repeat),
					"outcome": "ok", "agree": "yes", "checked_by": "school", "size": fmt.Sprint(n * len(engine)), "shape": "1;2;3",
					"encode_seconds": "0", "build_seconds": fmt.Sprint(build), "wall_seconds": fmt.Sprint(2 * build),
					"first_query_seconds": "0.001", "later_query_seconds": map[string]string{"old": "0.0001", "new": "0.0009"}[engine],
				}))
			}
		}
	}
	return set
}

// copied returns a row that can be changed alone.
func copied(r record.Row) record.Row { return record.Widened([]record.Row{r}, "copy", "")[0] }

func tableNamed(t *testing.T, d *data, asked config.Table) table {
	tables := d.tables(asked)
	require.Len(t, tables, 1)
	return tables[0]
}

func figureOf(set record.Set, asked config.Plot) (*figure, error) {
	fs, _, err := newData(set).plotted(asked)
	if len(fs) == 0 {
		return nil, err
	}
	return fs[0], err
}

func texts(t table) [][]string {
	var rows [][]string
	for _, r := range t.Rows {
		var row []string
		for _, c := range r {
			row = append(row, c.Text())
		}
		rows = append(rows, row)
	}
	return rows
}

func TestTableComparesOnlyWhatIsShown(t *testing.T) {
	set := fixture()
	asked := config.Table{Title: "times", Rows: []string{"n"}, Columns: []string{"engine"},
		Values: []string{"build_seconds"}}
	table := tableNamed(t, newData(set), asked)
	assert.Equal(t, []string{"n", "old", "new"}, table.Header, "in the configuration's order")
	assert.Equal(t, [][]string{{"4", "40.0 ms (39.8 to 40.1)", "4.00 ms (3.98 to 4.01) (×0.1)"},
		{"5", "50.0 ms (49.8 to 50.1)", "5.00 ms (4.98 to 5.01) (×0.1)"}}, texts(table))
	assert.Equal(t, []string{
		"Medians of 10 runs, with their 95% confidence intervals.", "Over all values of seed: 0, 1.",
		"The interval includes the effect of these, not only the noise of measuring.",
		"×: times old; =: equal; ~: no significant difference (at 0.05, by Wilcoxon's signed-rank test where six or " +
			"more runs are paired by seed and repeat, else by the Mann-Whitney U test).",
	}, table.Notes)

	// Samples that differ only by noise do not differ significantly.
	random := rand.New(rand.NewPCG(1, 2))
	for _, r := range set.Rows {
		r.Set("build_seconds", fmt.Sprint(1+random.Float64()))
	}
	for _, row := range texts(tableNamed(t, newData(set), asked)) {
		assert.Regexp(t, `^1\.\d\d s \(1\.\d\d to 1\.\d\d\) \(~\)$`, row[2])
	}

	// Results are exact: equal, or larger by an exact factor.
	asked.Values = []string{"size"}
	for _, r := range set.Rows {
		if r.Cell("n") == "5" {
			r.Set("size", map[string]string{"old": "10", "new": "35"}[r.Cell("engine")])
		}
	}
	assert.Equal(t, [][]string{{"4", "12", "12 (=)"}, {"5", "10", "35 (×3.5)"}},
		texts(tableNamed(t, newData(set), asked)))
}

func TestFewSamplesHaveNoInterval(t *testing.T) {
	set := fixture()
	few := set.Rows[:0]
	for _, r := range set.Rows {
		if len(r.Cell("repeat")) == 1 && r.Cell("repeat") < "5" {
			few = append(few, r)
		}
	}
	set.Rows = few
	table := tableNamed(t, newData(set),
		config.Table{Rows: []string{"n"}, Columns: []string{"engine"}, Values: []string{"build_seconds"}})
	assert.Equal(t, "39.9 ms (39.8 to 40.0)", table.Rows[0][1].Text())
	assert.Equal(t, "Medians of 5 runs, with the least and the largest: an interval needs 6.", table.Notes[0])
	all := fixture().Rows
	set.Rows = all[:13] // ten of old, three of new
	notes13 := tableNamed(t, newData(set),
		config.Table{Rows: []string{"n"}, Columns: []string{"engine"}, Values: []string{"build_seconds"}}).Notes
	assert.Equal(t, "Medians of 3 to 10 runs, with their 95% confidence intervals.", notes13[0])
	assert.Equal(t, "One of fewer than 6 has the least and the largest instead.", notes13[1])
	set.Rows = append(slices.Clone(all[:5]), all[10:12]...) // five of old, two of new
	notes := strings.Join(tableNamed(t, newData(set),
		config.Table{Rows: []string{"n"}, Columns: []string{"engine"}, Values: []string{"build_seconds"}}).Notes, " ")
	assert.Contains(t, notes, "Medians of 2 to 5 runs")
	assert.NotContains(t, notes, "The interval includes", "there is none")
	single := tableNamed(t, newData(set),
		config.Table{Rows: []string{"n", "engine", "repeat"}, Values: []string{"build_seconds"}})
	assert.Equal(t, []string{"Each number is from a single run."}, single.Notes)
	exact := tableNamed(t, newData(set),
		config.Table{Rows: []string{"n"}, Columns: []string{"engine"}, Values: []string{"size"}})
	assert.NotContains(t, strings.Join(exact.Notes, " "), "Medians")
	assert.True(t, math.IsNaN(table.Rows[0][1].number.Lo))
}

func TestTimeoutsStayInTheTable(t *testing.T) {
	set := fixture()
	asked := config.Table{Rows: []string{"n"}, Columns: []string{"engine"}, Values: []string{"build_seconds"}}
	for i, r := range set.Rows {
		switch {
		case r.Cell("n") == "4" && r.Cell("engine") == "old" && i%3 == 0: // 4 of 10
			r.Set("outcome", "timeout")
			r.Set("reason", "not finished after 1s")
			r.Set("build_seconds", "")
		case r.Cell("n") == "5" && r.Cell("engine") == "old" && i%3 != 0: // 6 of 10
			r.Set("outcome", "timeout")
			r.Set("build_seconds", "")
		case r.Cell("n") == "5" && r.Cell("engine") == "new" && i%5 == 0:
			r.Set("outcome", "memory-limit")
			r.Set("build_seconds", "")
		}
	}
	rows := texts(tableNamed(t, newData(set), asked))
	assert.Regexp(t, `^40\.\d ms \(39\.8 to 40\.1\) \[4 timeout\]$`, rows[0][1])
	assert.Regexp(t, `^50\.\d ms \(49\.\d to 50\.\d\) \[7 timeout\]$`, rows[1][1], "the time of a lost build is not known")
	assert.Regexp(t, `^5\.00 ms \(4\.98 to 5\.01\) \[2 memory-limit\] \(×`, rows[1][2])

	// A run's wall time is known to be over the limit, but nothing else is.
	for _, r := range set.Rows {
		if r.Cell("outcome") == "timeout" {
			r.Set("wall_seconds", "1.02")
			r.Set("user_seconds", "0.3")
		}
	}
	asked.Values = []string{"wall_seconds"}
	rows = texts(tableNamed(t, newData(set), asked))
	assert.Regexp(t, `^\d+\.\d ms .*\[4 timeout\]$`, rows[0][1])
	assert.Equal(t, ">1.00 s [7 timeout]", rows[1][1])
	assert.Regexp(t, `\(×<\.\d+\)$|\(×<0\.\d+\)$`, rows[1][2], "as the other takes longer than its limit")
	asked.Values = []string{"user_seconds"}
	assert.Equal(t, "[7 timeout]", texts(tableNamed(t, newData(set), asked))[1][1])

	files, err := Build(set, Options{})
	require.NoError(t, err)
	assert.Contains(t, string(files["report.md"]), "not finished after 1s")
	set.Rows = nil
	files, err = Build(set, Options{})
	require.NoError(t, err)
	assert.Contains(t, string(files["report.md"]), ": none yet.\n")
}

// Runs that a limit ended are missing from a plot's medians, and its notes say so.
func TestPlotsSayWhatTheyLeaveOut(t *testing.T) {
	set := fixture()
	for i, r := range set.Rows {
		if r.Cell("engine") == "old" && (r.Cell("n") == "5" || i%5 == 0) {
			r.Set("outcome", map[string]string{"4": "memory-limit", "5": "timeout"}[r.Cell("n")])
			r.Set("build_seconds", "")
		}
	}
	notes := func(kind, y string, series ...string) []string {
		asked := config.Plot{Title: "a plot", Kind: config.PlotKind(kind), Y: y, Series: series}
		if kind == "lines" || kind == "break-even" {
			asked.X = "n"
		}
		f, err := figureOf(set, asked)
		require.NoError(t, err)
		return f.Notes
	}
	assert.Contains(t, notes("lines", "build_seconds", "engine"),
		"old: runs that did not end well and are not in the line; a cross on the upper edge where none did: 2 memory-limit of 10 at n = 4; 10 timeout of 10 at n = 5.")
	wall := notes("lines", "wall_seconds", "engine")
	assert.Contains(t, wall, "old: runs that did not end well and are not in the line: 2 memory-limit of 10 at n = 4.")
	assert.Contains(t, wall, "old: timed-out runs, plotted at what was left of the limit; a hollow triangle where most were: 10 timeout of 10 at n = 5.")
	assert.Contains(t, notes("cactus", "build_seconds", "engine"),
		"old, 8 of 20: 12 of 20 runs did not finish; the line ends in a cross before them.")
	assert.Subset(t, notes("break-even", "", "engine"),
		[]string{"n = 4: not known against new.", "n = 5: not known against new."})

	for _, r := range set.Rows {
		r.Set("outcome", "ok")
		r.Set("build_seconds", "1")
	}
	for _, kind := range []string{"lines", "cactus"} {
		assert.NotContains(t, strings.Join(notes(kind, "build_seconds", "engine"), " "), "end well", kind)
	}
}

func TestEnvironmentsAreComparedAsSets(t *testing.T) {
	abacus := record.Environment{ID: "e1", CPU: "abacus", Started: "2026-01-01T00:00:00Z"}
	later := abacus
	later.Started = "2026-02-01T00:00:00Z"
	slide := record.Environment{ID: "e2", CPU: "slide rule"}
	type list = []record.Environment
	for _, c := range []struct {
		a, b list
		want string
	}{
		{list{abacus}, list{later}, "Environment: the same.\n"},
		{list{abacus, slide}, list{slide, later}, "Environment: the same.\n"},
		{list{abacus}, list{slide}, "Environment:\n  cpu: abacus, now slide rule\n\n"},
		{list{abacus}, list{later, slide}, "Environment:\n  cpu: abacus, now abacus or slide rule\n\n"},
		{list{abacus, slide}, list{abacus}, "Environment:\n  cpu: abacus or slide rule, now abacus\n\n"},
	} {
		a, b := fixture(), fixture()
		a.Environments, b.Environments = c.a, c.b
		var out bytes.Buffer
		found, err := WriteComparison(&out, a, b, 0)
		require.NoError(t, err)
		assert.Empty(t, found.Results)
		assert.Contains(t, out.String(), c.want)
	}
}

// A changed answer or result is a difference; a changed cost is not.
func TestComparisonTellsWhatDiffers(t *testing.T) {
	for column, want := range map[string]bool{"answer": true, "size": true, "shape": true, "build_seconds": false} {
		a, b := fixture(), fixture()
		b.Rows[3].Set(column, b.Rows[3].Cell(column)+"1")
		a.Rows[3].Set("answer", a.Rows[3].Cell("answer")+"0")
		found, err := WriteComparison(io.Discard, a, b, 0)
		require.NoError(t, err)
		b.Rows[3].Set("answer", b.Rows[3].Cell("answer")+"0")
		if column == "answer" {
			assert.NotEmpty(t, found.Results)
			continue
		}
		found, err = WriteComparison(io.Discard, a, b, 0)
		require.NoError(t, err)
		assert.Equal(t, want, len(found.Results) > 0, column)
	}
}

// A result that depends on a clock is not compared, and the comparison says so; the results of
// other runs are compared.
func TestComparisonLeavesOutWhatAClockDecides(t *testing.T) {
	for engine, differs := range map[string]bool{"new": false, "old": true} {
		a, b := fixture(), fixture()
		for _, set := range []*record.Set{&a, &b} {
			set.Kind = experiments.Kind[toy]{Name: kind.Name, Result: kind.Result, Timed: timed}.Erase()
		}
		for _, row := range b.Rows {
			if row.Cell("engine") == engine {
				row.Set("size", row.Cell("size")+"1")
			}
		}
		var out strings.Builder
		found, err := WriteComparison(&out, a, b, 0)
		require.NoError(t, err)
		assert.Equal(t, differs, len(found.Results) > 0, engine)
		assert.Contains(t, out.String(), "Results not compared, because they depend on a clock: size at 4 of 8 points.\n")
	}
}

// timed: the new engine reads a clock.
func timed(t *toy) []string {
	if t.Engine == "new" {
		return []string{"size"}
	}
	return nil
}

// A plot's base is one of its series.
func TestBaseOfAPlot(t *testing.T) {
	set := fixture()
	asked := config.Plot{Title: "t", Kind: config.BreakEven, X: "n", Series: []string{"engine"}, Base: "new"}
	d := newData(set)
	_, tables, err := d.plotted(asked)
	require.NoError(t, err)
	assert.Equal(t, []string{"n", "new build", "new later query", "against old"}, tables[0].Header)
	asked.Base = ""
	_, tables, err = d.plotted(asked)
	require.NoError(t, err)
	assert.Equal(t, []string{"n", "old build", "old later query", "against new"}, tables[0].Header, "the first")
	asked.Base = "nwe"
	_, _, err = d.plotted(asked)
	assert.EqualError(t, err, `plot "t": base "nwe": expected one of the series old, new; did you mean new?`)
}

// Costs that are easy to compute by hand: see the comment inside.
func TestBreakEven(t *testing.T) {
	set := fixture()
	asked := config.Plot{Title: "break-even", Kind: "break-even", X: "n", Series: []string{"engine"}, Base: "old"}
	d := newData(set)
	table := d.breakEvens(asked).table
	assert.Equal(t, []string{"n", "old build", "old later query", "against new"}, table.Header)
	// Old takes 40 ms to build and 0.1 ms for a query, new 4 ms and 0.9 ms. Both take 1 ms for the first
	// query, less half a thousandth on average. 40 + 0.9 - (4 + 0.1) = 36.8 ms at 0.8 ms a query is 46
	// queries.
	row := texts(table)[0]
	assert.Equal(t, []string{"4", "40.0 ms (39.8 to 40.1)", "100 µs", "46 (46 to 47)"}, row)

	// Noise in what a query costs makes an interval around it.
	for i, r := range set.Rows {
		if r.Cell("engine") == "new" {
			r.Set("later_query_seconds", fmt.Sprint(0.0009+float64(i%10-5)/20000))
		}
	}
	d = newData(set)
	row = texts(d.breakEvens(asked).table)[0]
	assert.Regexp(t, `^4[5-9] \(4\d to 5\d\)$`, row[3])

	// The time of a query can exclude the pipe to a solver; the time to build is the same.
	set.Rows = record.Widened(record.Widened(set.Rows, "first_query_net_seconds", "0"), "later_query_net_seconds", "0.0001")
	for _, r := range set.Rows {
		if r.Cell("engine") == "new" {
			r.Set("later_query_net_seconds", "0.0002")
		}
	}
	asked.Y = "later_query_net_seconds"
	d = newData(set)
	row = texts(d.breakEvens(asked).table)[0]
	assert.Equal(t, "360", row[3], "36 ms at 0.1 ms a query")

	// Nothing is said beyond ten times the questions that were asked, except that it is more, or never.
	set.Rows = record.Widened(set.Rows, "queries", "30")
	shown := func() string {
		d := newData(set)
		return texts(d.breakEvens(asked).table)[0][3]
	}
	assert.Equal(t, "more than 300", shown())
	for _, r := range set.Rows {
		r.Set("queries", "40")
	}
	assert.Equal(t, "360", shown())
	for _, r := range set.Rows {
		r.Set("later_query_net_seconds", "0.0002")
	}
	assert.Equal(t, "never", shown())
	assert.Equal(t, "more than 300", queryText(301, 300))
	assert.Equal(t, "more than 1,010", queryText(1011, 1010))
	assert.Equal(t, "5,400", queryText(5412, 10010))

	// Without a run's times nothing is known.
	for _, r := range set.Rows[:1] {
		r.Set("outcome", "timeout")
	}
	assert.Contains(t, []string{shown(), texts(newData(set).breakEvens(asked).table)[1][3]}, notKnown)
}

// A series that was measured on one problem only is not compared on another.
func TestBreakEvenOfOneProblem(t *testing.T) {
	set := fixture()
	var rows []record.Row
	for _, r := range record.Widened(set.Rows, "problem", "queens") {
		rows = append(rows, r)
		if r.Cell("engine") == "old" {
			rooks := copied(r)
			rooks.Set("problem", "rooks")
			rows = append(rows, rooks)
		}
	}
	set.Rows = rows
	asked := config.Plot{Title: "break-even", Kind: "break-even", X: "n", Series: []string{"engine"}, Base: "old"}
	d := newData(set)
	d.varied = append(d.varied, "problem")
	table := d.breakEvens(asked).table
	require.Equal(t, []string{"n", "problem", "old build", "old later query", "against new"}, table.Header)
	for _, row := range texts(table) {
		assert.Equal(t, row[1] == "rooks", row[4] == "", row)
	}
}

// A plot has a line against each method of a rival and, if there are more than it tells apart, against the best one.
func TestBreakEvenOfMethods(t *testing.T) {
	for methods, want := range map[int][]string{
		2:             {"against new m0", "against new m1"},
		maxSeries + 1: {"against new, its best"},
	} {
		set := fixture()
		var rows []record.Row
		for _, r := range record.Widened(set.Rows, "method", "") {
			if r.Cell("engine") == "old" {
				rows = append(rows, r)
				continue
			}
			for i := range methods {
				own := copied(r)
				own.Set("method", fmt.Sprintf("m%d", i))
				own.Set("later_query_seconds", fmt.Sprint(float64(i+2)/1e4))
				rows = append(rows, own)
			}
		}
		set.Rows = rows
		d := newData(set)
		d.varied = append(d.varied, "method")
		fs, tables, err := d.plotted(config.Plot{Title: "t", Kind: config.BreakEven, X: "n", Series: []string{"engine", "method"}, Base: "old "})
		require.NoError(t, err)
		require.Len(t, tables[0].Header, 4+methods, "the table has them all")
		require.Len(t, fs, 1)
		var names []string
		for _, s := range fs[0].curves {
			names = append(names, s.name)
			assert.Equal(t, s == fs[0].curves[0] && len(want) > 1, s.shift < 0, "each has its own place")
		}
		assert.Equal(t, want, names)
		best, worst := fs[0].curves[0].points[0].Center, 36.8/0.8
		assert.Greater(t, best, 3*worst, "m0 answers soonest, so building pays late")
	}
}

// Sizes that grow by exact factors, and one that does not.
func TestRatioAndItsGrowth(t *testing.T) {
	assert.Equal(t, "1.5, 3, 0.333", growthText([]float64{2, 3, 9, 3}))
	assert.Equal(t, "-, -, 4", growthText([]float64{2, math.NaN(), 1, 4}))
	assert.Empty(t, growthText([]float64{2}))

	asked := config.Plot{Title: "r", Kind: config.Ratio, X: "n", Y: "build_seconds", Series: []string{"engine"}}
	_, tables, err := newData(fixture()).plotted(asked)
	require.NoError(t, err)
	assert.Equal(t, [][]string{{"old", "1", "1", "1.25"}, {"new", "0.1", "0.1", "1.25"}}, texts(tables[0]))

	// Where runs reached a limit, the table says so, and the plot has a cross on its upper edge.
	set := fixture()
	for _, r := range set.Rows {
		if r.Cell("engine") == "new" && r.Cell("n") == "5" {
			r.Set("outcome", "timeout")
			r.Set("build_seconds", "")
		}
	}
	fs, tables, err := newData(set).plotted(asked)
	require.NoError(t, err)
	assert.Equal(t, [][]string{{"old", "1", "1", "1.25"}, {"new", "0.1", "[10 timeout]", "-"}}, texts(tables[0]))
	assert.Equal(t, []float64{5}, fs[0].curves[1].none)
	fs[0].svg, err = fs[0].asSVG()
	require.NoError(t, err)
	assert.Contains(t, string(fs[0].SVG()), "<title>new, n = 5: no run ended with a value</title>")
}

// Only the chosen records are shown, and a table that would mix names is refused.
func TestWhere(t *testing.T) {
	set := fixture()
	set.Spec.Report.Tables = []config.Table{{Title: "t", Rows: []string{"n"}, Values: []string{"build_seconds"}}}
	set.Spec.Report.Plots = []config.Plot{{Title: "p", Kind: "cactus", Y: "build_seconds", Series: []string{"engine"}}}
	_, err := Build(set, Options{})
	assert.ErrorContains(t, err, `table "t": medians across different values of engine`)
	set.Spec.Report.Tables[0].Where = config.Conditions{"engine": "new", "n": "> 4"}
	files, err := Build(set, Options{})
	require.NoError(t, err)
	assert.Contains(t, string(files["report.md"]), "| 5 | 5.00 ms (4.98 to 5.01) |")
	assert.NotContains(t, string(files["report.md"]), "| 4 |")
	assert.Contains(t, string(files["report.md"]), "Where engine = new; n > 4.")
	set.Spec.Report.Tables[0].Where = config.Conditions{"n": "> 5"}
	files, err = Build(set, Options{})
	require.NoError(t, err)
	for _, name := range []string{"report.md", "index.html"} {
		assert.Regexp(t, `Left out(.|\s)*table (&#34;|")t(&#34;|"): no record meets n (&gt;|>) 5`, string(files[name]))
	}
	var summary bytes.Buffer
	require.NoError(t, WriteSummary(&summary, set, "harness", 0))
	assert.Contains(t, summary.String(), `left out: table "t": no record meets n > 5`)
}

// A phase that a limit ended counts as what was left of the limit; a phase that had finished
// has its time.
func TestPhasesOfRunsThatALimitEnded(t *testing.T) {
	set := fixture()
	for _, r := range set.Rows {
		if r.Cell("engine") == "old" && r.Cell("n") == "5" {
			r.Set("outcome", "timeout")
			r.Set("unfinished", "first_query_seconds")
			r.Set("first_query_seconds", "")
			r.Set("later_query_seconds", "")
		}
	}
	rows := func(value string) [][]string {
		return texts(tableNamed(t, newData(set),
			config.Table{Title: "t", Rows: []string{"n"}, Columns: []string{"engine"}, Values: []string{value}}))
	}
	assert.Equal(t, "50.0 ms (49.8 to 50.1)", rows("build_seconds")[1][1])
	assert.Regexp(t, `^>9\d\d ms \[10 timeout\]$`, rows("first_query_seconds")[1][1])
	assert.Equal(t, "[10 timeout]", rows("later_query_seconds")[1][1])
	f, err := figureOf(set,
		config.Plot{Title: "f", Kind: "lines", X: "n", Y: "first_query_seconds", Series: []string{"engine"}})
	require.NoError(t, err)
	assert.Contains(t, strings.Join(f.Notes, " "), "old: timed-out runs, plotted")
}

// A report says whether other work was running during the measurements.
func TestLoad(t *testing.T) {
	set := fixture()
	set.Environments[0].Load = "0.5"
	quiet := func() string { text, _ := newData(set).quiet(); return text }
	assert.Equal(t, "The machine was quiet: a load of 0.5 at the start, on 2 cores.", quiet())
	for _, r := range set.Rows[:5] {
		r.Set("load", "7")
	}
	assert.Contains(t, quiet(), "The machine was busy: a load of up to 7 on 2 cores")
}

func TestSameRecordsSameBytes(t *testing.T) {
	set := fixture()
	set.Spec.Report.Plots = []config.Plot{
		{Title: "lines", Kind: "lines", X: "n", Y: "build_seconds", Series: []string{"engine"}, LogY: true},
		{Title: "cactus", Kind: "cactus", Y: "wall_seconds", Series: []string{"engine"}},
		{Title: "profile", Kind: "profile", X: "n", Y: "shape", Series: []string{"engine"}},
		{Title: "break even", Kind: "break-even", X: "n", Series: []string{"engine"}},
	}
	files, err := Build(set, Options{PDF: true})
	require.NoError(t, err)
	for _, name := range []string{"report.md", "index.html", "tables/build-wall-clock-time.csv", "tables/build-wall-clock-time.tex", "plots/lines.svg",
		"plots/lines.pdf", "plots/cactus.svg", "plots/profile.svg", "plots/break-even.svg", "tables/break-even.csv"} {
		assert.Contains(t, files, name)
	}
	for range 3 {
		rand.Shuffle(len(set.Rows), func(i, j int) { set.Rows[i], set.Rows[j] = set.Rows[j], set.Rows[i] })
		again, err := Build(set, Options{PDF: true})
		require.NoError(t, err)
		for name := range files {
			assert.True(t, bytes.Equal(files[name], again[name]), name)
		}
	}
	for name, data := range files {
		switch filepath.Ext(name) {
		case ".svg":
			d := xml.NewDecoder(bytes.NewReader(data))
			for {
				if _, err := d.Token(); errors.Is(err, io.EOF) {
					break
				} else {
					require.NoError(t, err, name)
				}
			}
		case ".html":
			assert.NotRegexp(t, `(src|href)="https?:`, string(data), "no network")
			assert.Contains(t, string(data), "Is new &lt;better&gt; than old &amp; by how much?")
			assert.Contains(t, string(data), "abacus")
		case ".tex":
			text := string(data)
			assert.Equal(t, strings.Count(text, `\begin{`), strings.Count(text, `\end{`), name)
		}
	}
	assert.Contains(t, string(files["tables/build-wall-clock-time.tex"]), "4.00 ms")
}

// For every column that a configuration may name, the report is made or the error says why not.
func TestEveryColumnEverywhere(t *testing.T) {
	for _, c := range kind.Columns().Names() {
		set := fixture()
		set.Spec.Report.Tables = []config.Table{{Title: "t", Rows: []string{"n", "engine"}, Columns: []string{c},
			Values: []string{c}}}
		set.Spec.Report.Plots = []config.Plot{
			{Title: "cactus", Kind: "cactus", Y: c, Series: []string{c}, LogY: true},
			{Title: "even", Kind: "break-even", X: c, Series: []string{c}},
		}
		_, err := Build(set, Options{})
		require.NoError(t, err, c)
		set.Spec.Report.Plots = []config.Plot{{Title: "lines", Kind: "lines", X: c, Y: c, Series: []string{c}, LogX: true,
			LogY: true}}
		if _, err = Build(set, Options{}); err != nil {
			assert.Regexp(t, `^plot "lines": (x: no record has a number in "`+c+`"|medians across different values of engine)`,
				err.Error())
		}
		set.Spec.Report.Plots = []config.Plot{{Title: "profile", Kind: "profile", X: c, Y: c, Series: []string{c}}}
		if _, err = Build(set, Options{}); err != nil {
			assert.Contains(t, err.Error(), "is not a number")
		}
	}
}

// A set without records, or without any that ended well, still has a report.
func TestNothingToShow(t *testing.T) {
	set := fixture()
	for _, r := range set.Rows {
		r.Set("outcome", "error")
		r.Set("reason", "broken")
	}
	files, err := Build(set, Options{})
	require.NoError(t, err)
	assert.Contains(t, string(files["report.md"]), "40 error")
	set.Rows = nil
	files, err = Build(set, Options{})
	require.NoError(t, err)
	assert.Contains(t, files, "index.html")
}

func TestCheckFindsEveryDifference(t *testing.T) {
	files, err := Build(fixture(), Options{})
	require.NoError(t, err)
	dir := filepath.Join(t.TempDir(), "report")
	assert.Len(t, files.Check(dir), 5, "the text and four pictures")
	require.NoError(t, files.Write(dir))
	assert.Empty(t, files.Check(dir))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "tables", "build-wall-clock-time.csv"), []byte("n\n"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "plots", "old.svg"), nil, 0o644))
	assert.False(t, HasPDF(dir))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "plots", "gone.pdf"), nil, 0o644))
	assert.True(t, HasPDF(dir))
	require.NoError(t, os.Remove(filepath.Join(dir, "tables", "build-wall-clock-time.tex")), "it is made when needed")
	assert.Equal(t, []string{"tables/build-wall-clock-time.csv does not follow from the records", "plots/gone.pdf is not part of this report: remove it",
		"plots/old.svg is not part of this report: remove it"},
		files.Check(dir))
}

// The PDFs are read by an independent program.
func TestPDFsOpen(t *testing.T) {
	tool, err := exec.LookPath("pdfinfo")
	if err != nil {
		if os.Getenv("NO_SKIP") != "" {
			t.Fatal("no pdfinfo: install Debian's poppler-utils")
		}
		t.Skip("no pdfinfo: install Debian's poppler-utils")
	}
	set := fixture()
	set.Spec.Report.Plots = []config.Plot{
		{Title: "Time × 1", Kind: "lines", X: "n", Y: "later_query_seconds", Series: []string{"engine"}},
	}
	files, err := Build(set, Options{PDF: true})
	require.NoError(t, err)
	found := 0
	for name, data := range files {
		if filepath.Ext(name) != ".pdf" {
			continue
		}
		found++
		path := filepath.Join(t.TempDir(), filepath.Base(name))
		require.NoError(t, os.WriteFile(path, data, 0o644))
		out, err := exec.Command(tool, path).CombinedOutput()
		require.NoError(t, err, "%s: %s", name, out)
		assert.Contains(t, string(out), "Pages:           1")
		assert.NotContains(t, string(out), "Error")
		out, err = exec.Command("pdftotext", path, "-").Output()
		require.NoError(t, err)
		assert.Contains(t, string(out), "Time × 1")
		assert.Contains(t, string(out), "200 µs")
	}
	assert.NotZero(t, found)
}

func TestNumbers(t *testing.T) {
	for v, want := range map[float64]string{0: "0 ns", 1: "1.00 s", 0.0123456: "12.3 ms", 123e-6: "123 µs",
		1e-9: "1.00 ns", 0.09996: "100 ms"} {
		assert.Equal(t, want, number("x_seconds", v))
	}
	assert.Equal(t, "1.50 GiB", number("x_bytes", 1.5*(1<<30)))
	assert.Equal(t, "2,451", number("nodes", 2451))
	for digits, want := range map[string]string{"999": "999", "1000": "1,000", "-999": "-999", "-1000": "-1,000",
		"1234567.5": "1,234,567.5", "0.00001": "0.00001"} {
		assert.Equal(t, want, grouped(digits))
	}
	for v, want := range map[float64]string{0.0000731: "0.0000731", 0.5: "0.500", 9.996: "10.0", 99.96: "100", 12345: "12,345"} {
		assert.Equal(t, want, digits3(v))
	}
	for v, want := range map[float64]string{0.5: "0.5", 2451: "2,451", math.Inf(1): "∞"} {
		assert.Equal(t, want, times(v))
	}
	assert.Equal(t, []float64{1e-3, 2e-3, 5e-3, 0.01, 0.02, 0.05}, logTicks(1e-3, 9e-3, 4))
	assert.Equal(t, []float64{0, 2, 4, 6, 8, 10}, linearTicks(0, 10))
}

func TestTicksOfMemoryArePowersOfTwo(t *testing.T) {
	assert.Equal(t, []float64{1 << 20, 1 << 21, 1 << 22}, powersOfTwo(1<<20, 4<<20))
	assert.Len(t, powersOfTwo(1, 1<<40), 9)
}

// Labels of the axes replace the columns' names.
func TestAxesHaveTheirWords(t *testing.T) {
	asked := config.Plot{Title: "sizes", Kind: "lines", X: "n", Y: "nodes", Series: []string{"engine"}, YLabel: "nodes of the result"}
	f, err := figureOf(fixture(), asked)
	require.NoError(t, err)
	assert.Equal(t, []string{"size n", "nodes of the result"}, []string{f.xLabel, f.yLabel})
}

// Values that the configuration does not list, such as the construction "own" of an outside
// engine, come after those that it lists, in one order everywhere.
func TestUnlistedValuesComeLast(t *testing.T) {
	set := fixture()
	set.Spec.Axes = map[string]config.Axis{"construction": {"row-wise", "free-set"}}
	values := []string{"own", "free-set", "another", "row-wise"}
	slices.SortFunc(values, newData(set).compare("construction"))
	assert.Equal(t, []string{"row-wise", "free-set", "another", "own"}, values)
}

// A run that did not come to a value says nothing about its name.
func TestDiffers(t *testing.T) {
	row := func(method, valid string) record.Row {
		columns := experiments.Columns{{Name: "method"}, {Name: "valid"}}
		return record.NewRow(columns, map[string]string{"method": method, "valid": valid})
	}
	ended, three, too, four := row("a", ""), row("b", "3"), row("c", "3"), row("b", "4")
	assert.False(t, differs([]record.Row{ended, three, too}, "method", "valid"))
	assert.False(t, differs([]record.Row{three, four}, "method", "valid"), "of one name")
	assert.True(t, differs([]record.Row{ended, too, four}, "method", "valid"))
}

// Where solvers are compared, a point whose runs never called theirs has no ratio, neither in a table nor in a plot, and a
// diagram pays against it after "never asked" questions. A line that compares back-ends says it, too.
func TestNeverAsked(t *testing.T) {
	solvers := experiments.Kind[struct {
		N       int    `json:"n"`
		Backend string `json:"backend"`
		Solver  string `json:"solver"`
	}]{Name: "toy", Result: struct {
		Work *float64 `json:"work_per_query,omitempty"`
	}{}}.Erase()
	set := fixture()
	set.Columns, set.Rows = solvers.Columns(), nil
	set.Spec.Axes = config.Axes{"n": {4, 5}, "backend": {"bdd", "sat"}, "solver": {"gini", "minisat"}}
	for _, way := range []string{"bdd gini", "sat gini", "sat minisat"} {
		backend, solver, _ := strings.Cut(way, " ")
		for n, work := range map[string]string{"4": "0", "5": "2"} {
			for repeat := range 10 {
				later := "0.001"
				if solver == "minisat" {
					later = "0.003"
				}
				set.Rows = append(set.Rows, record.NewRow(set.Columns, map[string]string{"schema": "1", "id": way + n + fmt.Sprint(repeat),
					"task": "toy", "n": n, "backend": backend, "solver": solver, "repeat": fmt.Sprint(repeat), "outcome": "ok",
					"work_per_query": work, "encode_seconds": "0", "build_seconds": "0.001", "first_query_seconds": "0.001",
					"later_query_seconds": later}))
			}
		}
	}
	four, err := newData(set).where(config.Conditions{"n": "4", "solver": "gini"})
	require.NoError(t, err)
	text, _ := tableNamed(t, four, config.Table{Title: "t", Rows: []string{"n"}, Columns: []string{"backend"},
		Values: []string{"later_query_seconds"}}).contrast()
	assert.Equal(t, "Later query, wall-clock time, at n = 4: bdd 1.00 ms; no difference: sat (no call of its solver)", text)
	only := config.Conditions{"backend": "sat"}
	d, err := newData(set).where(only)
	require.NoError(t, err)
	asked := config.Table{Title: "t", Rows: []string{"n"}, Columns: []string{"solver"}, Values: []string{"later_query_seconds"}}
	got := texts(tableNamed(t, d, asked))
	assert.Equal(t, []string{"4", "1.00 ms (never asked)", "3.00 ms (never asked)"}, got[0])
	assert.Equal(t, "3.00 ms (×3)", got[1][2])
	assert.Contains(t, tableNamed(t, d, asked).Notes, idleNote)

	_, tables, err := d.plotted(config.Plot{Title: "r", Kind: config.Ratio, X: "n", Y: "later_query_seconds",
		Series: []string{"solver"}, Base: "gini"})
	require.NoError(t, err)
	assert.Equal(t, []string{"minisat", neverAsked, "3"}, texts(tables[0])[1][:3])

	b := newData(set).breakEvens(config.Plot{Title: "b", X: "n", Series: []string{"backend", "solver"}, Base: "bdd gini",
		Y: "later_query_seconds"})
	for i, row := range b.texts(cell.Text) {
		assert.Equal(t, i == 0, row[len(row)-1] == neverAsked, row)
	}
	assert.Contains(t, b.Notes, idleNote)
}
