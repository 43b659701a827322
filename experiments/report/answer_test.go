package report

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/experiments/config"
	"queens/experiments/record"
	"queens/experiments/stats"
)

// The answer stands in the report, on the page and at the end of the summary.
func TestAnswerEverywhere(t *testing.T) {
	set := fixture()
	set.Spec.Answer = `At n = {{(table "build").Value "n = largest" "n"}}, new takes
		{{(table "build").Ratio "n = largest" "new"}} times as long.`
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

	set.Spec.Answer = `{{(table "time").Value "n = 9" "old"}}` // of a configuration of which a part ran
	_, d = answer()
	assert.Equal(t, []string{`the answer: no line of "time" meets the conditions n = 9, old with n = 9`}, d.left)

	set.Spec.Answer = ""
	for _, r := range set.Rows {
		if r.Cell("n") == "5" && r.Cell("engine") == "old" {
			r.Set("outcome", "error")
			r.Set("build_seconds", "")
		}
	}
	text, _ = answer()
	assert.Equal(t, "Build, wall-clock time, at n = 4: old 40.0 ms; new ×0.1", text, "the largest size of both")

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
		{word("4"), at(2.5e-6), at(3e-3)}, {word("5"), at(4e-3), bound}, {word("6"), word("-"), at(0.5)},
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
	require.Len(t, asked, 1)
	assert.Equal(t, []string{"engine"}, asked[0].Columns)
	assert.Contains(t, asked[0].Values, "build_seconds")
}
