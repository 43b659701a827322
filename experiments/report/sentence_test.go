package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"text/template"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/experiments"
	"queens/experiments/config"
	"queens/experiments/record"
	"queens/experiments/stats"
)

// stored is the fixture with the ids and positions that a run would give it, so that it can be compared with the
// grid of its configuration.
func stored(t *testing.T) record.Set {
	t.Helper()
	set := fixture()
	set.Kind = kind
	set.Spec.Axes["seed"] = config.Axis{0}
	set.Spec.Report.Tables = []config.Table{
		{Title: "time", Rows: []string{"n"}, Columns: []string{"engine"}, Values: []string{"build_seconds"}}}
	runs, err := set.Spec.Grid(kind)
	require.NoError(t, err)
	for _, r := range set.Rows {
		r.Set("seed", "0")
		at := slices.IndexFunc(runs, func(run experiments.Run) bool {
			has := run.Task.Parameters()
			return has["n"] == r.Cell("n") && has["engine"] == r.Cell("engine") && fmt.Sprint(run.Repeat) == r.Cell("repeat")
		})
		require.GreaterOrEqual(t, at, 0)
		r.Set("id", runs[at].ID)
		r.Set("position", fmt.Sprint(runs[at].Position))
	}
	_, err = set.Coverage()
	require.NoError(t, err)
	return set
}

func answerOf(t *testing.T, set record.Set) (answer string, left []string) {
	t.Helper()
	d := newData(set)
	tables, _, err := d.shown()
	require.NoError(t, err)
	return d.answer(tables, standingOf(set, nil).doubt), d.left
}

// No sentence is made from a set that misses runs, has runs of another configuration, or has wrong answers:
// neither the configuration's own nor the automatic one.
func TestSentencesNeedWholeSets(t *testing.T) {
	for _, own := range []string{"", `{{(table "time").Ratio "n = 5" "new"}} times`} {
		answer := func(change func(*record.Set)) string {
			set := stored(t)
			set.Spec.Answer = own
			change(&set)
			text, _ := answerOf(t, set)
			return text
		}
		whole := answer(func(*record.Set) {})
		assert.Contains(t, whole, "0.1")
		assert.Equal(t, "not known: 1 of 40 runs is missing", answer(func(s *record.Set) { s.Rows = s.Rows[1:] }))
		assert.Equal(t, "not known: 20 of 40 runs are missing, among them all with n = 5", answer(func(s *record.Set) {
			s.Rows = slices.DeleteFunc(s.Rows, func(r record.Row) bool { return r.Cell("n") == "5" })
		}))
		assert.Equal(t, "not known: the answers of 1 of 40 runs are wrong", answer(func(s *record.Set) { s.Rows[0].Set("outcome", "wrong") }))
		assert.Regexp(t, "^not known: 1 question has two answers: runs .*: size [0-9]+ and 1234567$", answer(func(s *record.Set) {
			for i, r := range slices.Backward(s.Rows) {
				if r.Cell("repeat") != "0" {
					s.Rows[i].Set("size", "1234567")
					break
				}
			}
		}))
		assert.Equal(t, "not known: the records are not those of the configuration, or it names files that are not here",
			answer(func(s *record.Set) { s.Spec.Axes["n"] = config.Axis{4} }))
		assert.NotEqual(t, whole, answer(func(s *record.Set) {
			for _, r := range s.Rows {
				if r.Cell("engine") == "new" {
					r.Set("outcome", "timeout")
					r.Set("unfinished", "build_seconds")
					r.Set("build_seconds", "")
				}
			}
		}), "timeouts")
	}
	files, err := Build(stored(t), Options{})
	require.NoError(t, err)
	assert.Contains(t, string(files["report.md"]), "40 of 40 runs: 40 ok.")
}

// parts is a set of proofs in parts, as a table of lines.
func parts(rows ...[3]string) Quoted {
	q := Quoted{table: table{part: part{Title: "parts"}, Header: []string{"n", "completes", "placements"}, names: 2}}
	for _, r := range rows {
		var v float64
		_, _ = fmt.Sscan(r[2], &v)
		q.table.Rows = append(q.table.Rows, []cell{wordCell(r[0]), wordCell(r[1]), {value: r[2], number: stats.Exactly(v)}})
	}
	return q
}

// A sentence about a whole needs all of its parts, all with the same answer, and placements that add up.
func TestWholesNeedAllParts(t *testing.T) {
	all := parts([3]string{"9", "yes", "10"}, [3]string{"9", "yes", "20"}, [3]string{"10", "yes", "5"})
	text, err := all.Throughout("completes = yes", "n")
	require.NoError(t, err)
	assert.Equal(t, "9 and 10", text)
	text, err = all.Total("30", "n = 9", "placements")
	require.NoError(t, err)
	assert.Equal(t, "30", text)

	_, err = all.Total("31", "n = 9", "placements")
	assert.EqualError(t, err, `not known: "parts" comes to 30 at n = 9, placements, not to 31`)
	_, err = parts([3]string{"9", "yes", "10"}, [3]string{"9", "yes", "20"}, [3]string{"9", "yes", "20"}).Total("30", "n = 9", "placements")
	assert.ErrorContains(t, err, "comes to 50", "a part stands there twice")
	_, err = parts([3]string{"9", "yes", "10"}, [3]string{"9", "no", "0"}, [3]string{"9", "no", "0"}).Throughout("completes = yes", "n")
	assert.EqualError(t, err, "not known: at n = 9, 2 of 3 lines do not have completes = yes")
	_, err = parts([3]string{"9", "yes", "10"}, [3]string{"9", "", "0"}).Throughout("completes = yes", "n")
	assert.EqualError(t, err, "not known: at n = 9 a run came to no result", "a part timed out")
	text, err = parts([3]string{"9", "yes", "10"}, [3]string{"10", "no", "0"}).Throughout("completes = yes", "n")
	require.NoError(t, err)
	assert.Equal(t, "9", text)
}

// Every value that a selector lists must be that of a line: a claim about n = 99 is none if nothing was measured there.
func TestListedValuesMustMatch(t *testing.T) {
	q := parts([3]string{"9", "yes", "10"}, [3]string{"10", "yes", "5"})
	for _, ask := range []func(...string) (string, error){q.Value, q.Cell, q.Show, q.Numbers} {
		_, err := ask("n = 9, 10", "placements")
		assert.NoError(t, err)
		_, err = ask("n = 9, 10, 99", "placements")
		assert.ErrorContains(t, err, "with n = 99")
	}
	shown, err := q.Values("> 0", "n = 9, 99", "placements")
	require.NoError(t, err)
	assert.Equal(t, Undecided, shown.verdict)
	shown, err = q.Lines("= 0", "completes = no")
	require.NoError(t, err)
	assert.Equal(t, Holds, shown.verdict)
	q.lost = 1
	shown, err = q.Lines("= 0", "completes = no")
	require.NoError(t, err)
	assert.Equal(t, Undecided, shown.verdict, "a run that timed out may have been one")
}

// A template may look things up, and do nothing else: what others have written must not fill the memory, run
// without end or reach a terminal's controls.
func TestSentencesOnlyLookUp(t *testing.T) {
	functions := template.FuncMap{"table": func(string) string { return strings.Repeat("x", 1000) }}
	for _, bad := range []string{
		`{{printf "%1000000000d" 1}}`, `{{range $i := 1000000000}}x{{end}}`, `{{if true}}x{{end}}`, `{{with "x"}}{{.}}{{end}}`,
		`{{define "x"}}{{template "x"}}{{end}}{{template "x"}}`, `{{block "x" .}}{{end}}`, `{{print "x"}}`, `{{"x" | html}}`,
		`{{.}}`, `{{len "x"}}`, `{{$x := printf "%s" "x"}}`, `{{table (printf "%d" 1)}}`, `{{1}}`, `{{(index "x" 0)}}`,
	} {
		_, err := sentence("answer", bad, functions, maxAnswer)
		assert.ErrorContains(t, err, "answer:", bad)
	}
	text, err := sentence("answer", `{{/* a comment */}}{{$t := table "x"}}{{$t}}`, functions, maxAnswer)
	require.NoError(t, err)
	assert.Len(t, text, 1000)
	_, err = sentence("answer", strings.Repeat(`{{table "x"}}`, 66), functions, maxAnswer)
	assert.ErrorContains(t, err, "longer than 64 KiB")
}

// Words of a configuration do not reach a page's markup. Reading has refused those for a terminal's controls.
func TestWordsAreOnlyWords(t *testing.T) {
	const evil = "<script>alert(1)</script>"
	set := fixture()
	set.Spec.Question, set.Spec.Answer, set.Spec.Report.Labels = evil, evil, map[string]string{"old": evil}
	set.Spec.Report.Tables = []config.Table{
		{Title: "time" + evil, Rows: []string{"n"}, Columns: []string{"engine"}, Values: []string{"build_seconds"}}}
	set.Spec.Report.Plots = []config.Plot{{Title: "plot" + evil, Kind: "lines", X: "n", Y: "build_seconds", Series: []string{"engine"}}}
	files, err := Build(set, Options{})
	require.NoError(t, err)
	for name, text := range files {
		if !strings.HasSuffix(name, ".csv") && !strings.HasSuffix(name, ".tex") {
			assert.NotContains(t, string(text), "<script>alert", name)
		}
	}
}

// A comparison is said in words: by how much, that no difference was found, or that it is not known.
func TestComparisonInWords(t *testing.T) {
	at := func(m *stats.Ratio) cell { return cell{measure: "build_seconds", times: m} }
	q := Quoted{table: table{part: part{Title: "t"}, names: 1, Header: []string{"n", "base", "quick", "slow", "alike", "few", "beyond", "none"},
		Rows: [][]cell{{wordCell("8"), {}, at(&stats.Ratio{Estimate: stats.Between(0.53, 0.49, 0.58), Differs: true}),
			at(&stats.Ratio{Estimate: stats.Between(4.4, 3.9, 5.8), Differs: true}), at(&stats.Ratio{Estimate: stats.Between(1, 0.94, 1.07)}),
			at(&stats.Ratio{Estimate: *stats.Exactly(2), Few: true}), at(&stats.Ratio{Estimate: *stats.Exactly(9), Differs: true, Above: true}), {}}}}}
	for asked, want := range map[string]string{
		"quick":  "quick takes 0.53 (0.49 to 0.58) times as long as base",
		"alike":  "no difference from base was found for alike (0.94 to 1.07)",
		"few":    "too few runs to compare few with base",
		"beyond": "beyond takes more than 9 times as long as base",
		"none":   "it is not known how none compares with base",
	} {
		text, err := q.Compare("n = 8", asked)
		require.NoError(t, err)
		assert.Equal(t, want, text)
	}
	text, err := q.Compare("n = 8", "quick", "slow", "alike")
	require.NoError(t, err)
	assert.Equal(t, "quick takes 0.53 (0.49 to 0.58) and slow 4.4 (3.9 to 5.8) times as long as base; "+
		"no difference from base was found for alike (0.94 to 1.07)", text)
	_, err = q.Compare("n = 8", "base")
	assert.ErrorContains(t, err, "expected a column to be compared with base")
	q.table.Rows = append(q.table.Rows, q.table.Rows[0])
	_, err = q.Compare("n = 8", "quick")
	assert.ErrorContains(t, err, "choose one")
}

// The automatic headline is about a measure that every column has, and a blank cell says why.
func TestHeadlinesCoverAllColumns(t *testing.T) {
	set := fixture()
	set.Spec.Report.Tables = []config.Table{
		{Title: "own", Rows: []string{"n"}, Columns: []string{"engine"}, Values: []string{"build_seconds"}}}
	for _, r := range set.Rows {
		if r.Cell("engine") == "new" {
			r.Set("build_seconds", "") // an outside program that reports no time
		}
	}
	text, _ := answerOf(t, set)
	assert.Equal(t, "Wall-clock time of a run, at n = 5: old 100.0 ms; new ×0.1", text)
	made := tableNamed(t, newData(set), set.Spec.Report.Tables[0])
	assert.Equal(t, "-", made.Rows[0][2].Text())
	assert.Contains(t, made.Notes, "-: these runs report no such value.")
	set.Rows = slices.DeleteFunc(set.Rows, func(r record.Row) bool { return r.Cell("engine") == "new" && r.Cell("n") == "4" })
	made = tableNamed(t, newData(set), set.Spec.Report.Tables[0])
	assert.Empty(t, made.Rows[0][2].Text())
	assert.Contains(t, made.Notes, "Blank: not measured.")
}

// A table that spans more than one unit can show has a unit for each column.
func TestUnitsByColumn(t *testing.T) {
	at := func(v float64) cell { return sample{Sample: stats.New([]float64{v}, nil, 0)}.cell("x_seconds") }
	wide := table{Header: []string{"n", "a", "b"}, names: 1, Rows: [][]cell{{wordCell("4"), at(2e-6), at(3)}, {wordCell("5"), at(4e-6), at(40)}}}
	assert.Equal(t, [][]string{{"4", "2.00 µs", "3.00 s"}, {"5", "4.00 µs", "40.0 s"}}, texts(wide.inOneUnit()))
}
