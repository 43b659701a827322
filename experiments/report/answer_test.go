package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/experiments"
	"queens/experiments/config"
	"queens/experiments/record"
	"queens/experiments/stats"
)

// The answer stands in the report, on the page and at the end of the summary.
func TestAnswerEverywhere(t *testing.T) {
	set := fixture()
	set.Spec.Answer = `At n = {{(table "Build, wall-clock time").Value "n = largest" "n"}}, new takes
		{{(table "Build, wall-clock time").Ratio "n = largest" "new"}} times as long.`
	const want = "At n = 5, new takes 0.1 times as long."
	files, err := Build(set, Options{})
	require.NoError(t, err)
	assert.Contains(t, string(files["report.md"]), "how much?\n\n**"+want+"**\n\n")
	assert.Contains(t, string(files["index.html"]), `<p class="answer">`+want+"</p>")
	var out strings.Builder
	require.NoError(t, WriteSummary(&out, set, "harness", 0))
	assert.True(t, strings.HasSuffix(out.String(), "\n"+want+"\n"), out.String())
}

// Without an answer of its own, and where that does not fit the records, a report answers by the first
// table that shows a difference, where all of its columns have numbers.
func TestAnswerByDefault(t *testing.T) {
	set := fixture()
	set.Spec.Report.Tables = []config.Table{
		{Title: "same", Rows: []string{"n"}, Columns: []string{"engine"}, Values: []string{"size"}},
		{Title: "time", Rows: []string{"n"}, Columns: []string{"engine"}, Values: []string{"build_seconds"}},
	}
	answer := func() (string, *data) {
		d := newData(set)
		tables, _, err := d.shown()
		require.NoError(t, err)
		return d.answer(tables, ""), d
	}
	text, d := answer()
	assert.Equal(t, "Build, wall-clock time, at n = 5: old 50.0 ms; new ×0.1", text)
	assert.Empty(t, d.left)

	set.Spec.Answer = `{{(table "lost").Value "n = 4" "old"}}`
	text, d = answer()
	assert.Equal(t, "Build, wall-clock time, at n = 5: old 50.0 ms; new ×0.1", text)
	require.Len(t, d.left, 1)
	assert.Contains(t, d.left[0], `no table "lost"`)

	set.Spec.Answer = `{{(table "time").Value "n = 9" "old"}}` // only a part of the configuration ran
	_, d = answer()
	assert.Equal(t, []string{`the configuration's answer, which quotes what these records lack: no line of "time" meets the conditions n = 9, old with n = 9`}, d.left)

	set.Spec.Answer = ""
	for _, r := range set.Rows {
		if r.Cell("n") == "5" && r.Cell("engine") == "old" {
			r.Set("outcome", "error")
			r.Set("build_seconds", "")
		}
	}
	text, _ = answer()
	assert.Equal(t, "Build, wall-clock time, at n = 4: old 40.0 ms; new ×0.1. old did not finish n = 5: 10 of 20 runs.", text,
		"the largest size of both")

	for _, r := range set.Rows {
		r.Set("build_seconds", "")
	}
	text, _ = answer()
	assert.Contains(t, text, "Size, at n = 4: ", "no table shows a difference")
}

// A table is in one unit, also where a run's limit bounds a number.
func TestOneUnit(t *testing.T) {
	at := func(v float64) cell {
		return sample{Sample: stats.New([]float64{v}, nil, 0)}.cell("x_seconds")
	}
	limit := stats.New([]float64{60}, nil, 0)
	limit.Capped = 60
	bound := sample{Sample: limit}.cell("x_seconds")
	shown := table{Header: []string{"n", "a", "b"}, names: 1, Rows: [][]cell{
		{wordCell("4"), at(2.5e-6), at(3e-3)}, {wordCell("5"), at(4e-3), bound}, {wordCell("6"), wordCell("-"), at(0.5)},
	}}
	assert.Equal(t, "| n | a | b |\n| ---:| ---:| ---:|\n| 4 | 0.00250 ms | 3.00 ms |\n| 5 | 4.00 ms | >60,000 ms |\n| 6 | - | 500 ms |",
		shown.inOneUnit().Markdown())
	assert.Equal(t, "2.50 µs", shown.Rows[0][1].Text(), "what documents quote stays")
}

// Where a solver reports no time of its own, the summary shows what the harness measured.
func TestSummaryIsNotEmpty(t *testing.T) {
	set := fixture()
	set.Spec.Report.Tables = []config.Table{
		{Title: "time", Rows: []string{"n"}, Columns: []string{"engine"}, Values: []string{"build_seconds"}}}
	for _, r := range set.Rows {
		r.Set("build_seconds", "")
	}
	var out strings.Builder
	require.NoError(t, WriteSummary(&out, set, "harness", 0))
	assert.Contains(t, out.String(), "time: wall\n")
	assert.Regexp(t, `│ 4 │ [0-9.]+ m?s`, out.String())
}

// An automatic table compares series of one size side by side, so that the answer can say how they differ.
func TestAutomaticTableOfOneSize(t *testing.T) {
	set := fixture()
	set.Rows = slices.DeleteFunc(set.Rows, func(r record.Row) bool { return r.Cell("n") == "5" })
	set.Spec.Axes["n"] = config.Axis{4}
	d := newData(set)
	asked := d.autoTables()
	assert.Equal(t, []string{"engine"}, asked[0].Columns)
	assert.Contains(t, titlesOf(asked), "Build, wall-clock time")
}

// Problems of one size are lines of the automatic table, and who answers them its columns; the time of what was asked
// comes right after the answer, and no number that never varies is shown. Each back-end has one line in the plot.
func TestAutomaticReportOfSeveralProblems(t *testing.T) {
	set := fixture()
	set.Columns = slices.Insert(slices.Clone(set.Columns), 0, experiments.Column{Name: "problem", Role: experiments.Parameter, Type: experiments.TypeText})
	set.Spec.Axes = config.Axes{"problem": {"cnf:a/*.cnf"}, "engine": {"old", "new"}}
	set.Rows = record.Widened(set.Rows, "problem", "")
	for _, r := range set.Rows {
		r.Set("problem", map[string]string{"4": "cnf:a/one.cnf#0123456789abcdef", "5": "cnf:a/two.cnf#0123456789abcdef"}[r.Cell("n")])
		r.Set("n", "0")
		r.Set("answer", "7")
		r.Set("size", "7")
		r.Set("encode_seconds", "0.5")
	}
	set.Spec.Report.Labels = nil
	d := shownData(set)
	asked := d.autoTables()
	assert.Equal(t, []string{"Size", "Later query, wall-clock time", "Build, wall-clock time", "Wall-clock time of a run"}, titlesOf(asked))
	assert.Equal(t, config.Table{Title: "Later query, wall-clock time", Rows: []string{"problem"}, Columns: []string{"engine"},
		Values: []string{"later_query_seconds"}}, asked[1])
	asked = asked[1:]
	plots := d.autoPlots()
	require.Len(t, plots, 1)
	assert.Equal(t, config.Cactus, plots[0].Kind)
	assert.Equal(t, []string{"engine"}, plots[0].Series)
	assert.Equal(t, []string{"one.cnf", "100 µs"}, texts(d.tables(asked[0])[0])[0][:2])

	// Problems of several sizes each make lines.
	for i, r := range set.Rows {
		r.Set("n", fmt.Sprint(4+i%2))
	}
	plots = shownData(set).autoPlots()
	assert.Equal(t, []string{"problem", "engine"}, plots[0].Series)
	assert.Equal(t, "n", plots[0].X)
}

// The files of a pattern, one for each size, are one series with one name; the records keep their hashes.
func TestFilesOfAPatternAreOneSeries(t *testing.T) {
	set := fixture()
	for _, r := range set.Rows {
		if r.Cell("engine") == "new" {
			r.Set("engine", "file:d{n}.order#0123456789abcde"+r.Cell("n"))
		}
	}
	set.Spec.Axes["engine"] = config.Axis{"old", "file:d{n}.order"}
	d := shownData(set)
	made := tableNamed(t, d, config.Table{Rows: []string{"n"}, Columns: []string{"engine"}, Values: []string{"build_seconds"}})
	assert.Equal(t, []string{"n", "old", "file:d{n}.order"}, made.Header)
	for _, row := range texts(made) {
		assert.Len(t, slices.DeleteFunc(row, func(s string) bool { return s == "" }), 3)
	}
	files, err := Build(set, Options{})
	require.NoError(t, err)
	before := fingerprints(set)
	assert.Contains(t, string(files["report.md"]), before[slices.IndexFunc(before, func(f []string) bool { return f[0] == "engine" })][2])
	assert.Contains(t, set.Rows[len(set.Rows)-1].Cell("engine"), "#", "the records are as they were")
}

// A report that marks many differences says how many chance makes, and once, what its comparisons could have found.
func TestComparisonsByChance(t *testing.T) {
	set := manySeries(12)
	for i, r := range set.Rows { // the first 40 differ by nothing but noise
		r.Set("build_seconds", fmt.Sprint(1+float64(i*7919%13)/100))
		if r.Cell("engine") > "engine-01" {
			r.Set("build_seconds", fmt.Sprint(2+float64(i*7919%13)/100))
		}
	}
	asked := config.Table{Title: "build", Rows: []string{"n"}, Columns: []string{"engine"}, Values: []string{"build_seconds"}}
	d := newData(set)
	made := tableNamed(t, d, asked)
	tests, differ := made.tested()
	assert.Equal(t, []int{22, 20}, []int{tests, differ})
	assert.NotContains(t, strings.Join(made.Notes, " "), "by chance", "twenty are not many")
	notes := d.comparisons([]table{made})
	require.Len(t, notes, 1)
	assert.Regexp(t, `^No significant difference \(~\) does not mean none: with 10 runs as noisy as those of the middle one of 2 such `+
		`comparisons, a true ratio of 1\.0[0-9]* is found in four of five experiments\.$`, notes[0])
	notes = d.comparisons([]table{made, made})
	require.Len(t, notes, 2)
	assert.Equal(t, "40 of 44 comparisons are significant at 0.05; of comparisons where nothing differs, one in twenty is, by chance.", notes[0])
}

// Under a mirrored order the same diagram is built: its costs are not compared. What does other work is compared.
func TestTheSameWorkIsNoNews(t *testing.T) {
	set := fixture()
	set.Columns = slices.Insert(slices.Clone(set.Columns), 0, experiments.Column{Name: "order", Role: experiments.Parameter, Type: experiments.TypeText})
	set.Spec.Axes = config.Axes{"order": {"rows", "columns"}}
	set.Rows = record.Widened(set.Rows, "order", "")
	for _, r := range set.Rows {
		r.Set("order", map[string]string{"old": "rows", "new": "columns"}[r.Cell("engine")])
		r.Set("engine", "same")
		r.Set("size", "29")
	}
	asked := config.Table{Title: "build", Rows: []string{"n"}, Columns: []string{"order"}, Values: []string{"build_seconds", "size"}}
	tables := newData(set).tables(asked)
	assert.Equal(t, "4.00 ms (3.98 to 4.01) (≡)", tables[0].Rows[0][2].Text())
	assert.Contains(t, tables[0].Notes, sameNote)
	assert.Equal(t, "29 (=)", tables[1].Rows[0][2].Text(), "a number found is compared")
	text, err := Quoted{table: tables[0]}.Compare("n = 4", "columns")
	require.NoError(t, err)
	assert.Equal(t, "columns: the same work as rows", text)
	set.Rows[len(set.Rows)-1].Set("size", "30") // of columns, n = 5
	assert.Contains(t, newData(set).tables(asked)[0].Rows[0][2].Text(), "×0.1")
}

func titlesOf(tables []config.Table) (titles []string) {
	for _, t := range tables {
		titles = append(titles, t.Titles()...)
	}
	return titles
}

// A ratio of too few runs does not stand beside ratios that are tested, and a note says so.
func TestRatiosOfFewRunsAreLeftOut(t *testing.T) {
	set := fixture()
	kept := map[string]int{}
	set.Rows = slices.DeleteFunc(set.Rows, func(r record.Row) bool {
		kept[r.Cell("n")+r.Cell("engine")]++
		return r.Cell("n") == "5" && kept[r.Cell("n")+r.Cell("engine")] > 2
	})
	asked := config.Table{Title: "t", Rows: []string{"n"}, Columns: []string{"engine"}, Values: []string{"build_seconds"}}
	made := newData(set).tables(asked)[0]
	assert.Contains(t, made.Rows[0][2].Text(), "×0.1")
	assert.NotContains(t, made.Rows[1][2].Text(), "×")
	assert.Contains(t, made.Notes, fewNote)
	set.Rows = slices.DeleteFunc(set.Rows, func(r record.Row) bool { return r.Cell("n") == "4" })
	made = newData(set).tables(asked)[0]
	assert.Contains(t, made.Rows[0][2].Text(), "×0.1, few runs", "nothing is tested")
	assert.NotContains(t, made.Notes, fewNote)
}

// What did not finish is told beside the answer, and by a comparison: medians alone would be of the runs that are left.
func TestUnfinishedIsTold(t *testing.T) {
	set := fixture()
	for _, r := range set.Rows {
		if r.Cell("engine") == "old" && r.Cell("n") == "5" && r.Cell("repeat") < "6" {
			r.Set("outcome", "timeout")
			r.Set("agree", "")
		}
	}
	const want = "old did not finish n = 5: 6 of 20 runs"
	var out strings.Builder
	require.NoError(t, WriteSummary(&out, set, "harness", 0))
	assert.True(t, strings.HasSuffix(out.String(), ". "+want+".\n"), out.String())
	out.Reset()
	compared, err := WriteComparison(&out, fixture(), set, 0)
	require.NoError(t, err)
	assert.Equal(t, []string{"B: " + want}, compared.Unfinished)
	assert.Contains(t, out.String(), want)
}
