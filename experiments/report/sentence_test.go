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
	runs, err := set.Spec.Grid(experiments.Kinds{kind})
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
	return d.answer(tables, standingOf(set).doubt), d.left
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
	files, err := Build(stored(t))
	require.NoError(t, err)
	assert.Contains(t, string(files["report.md"]), "40 of 40 runs: 40 ok.")
}

// parts is a set of proofs in parts, as a table of lines.
func parts(rows ...[3]string) Quoted {
	q := Quoted{table: table{part: part{Title: "parts"}, Header: []string{"n", "completes", "placements"}, names: 2}}
	for _, r := range rows {
		var v float64
		_, _ = fmt.Sscan(r[2], &v)
		q.table.Rows = append(q.table.Rows, []cell{word(r[0]), word(r[1]), {value: r[2], number: exactly(v)}})
	}
	return q
}

// What is said of a whole needs all of its parts, all with the same answer, and placements that add up.
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

// Words of a configuration reach neither a terminal's controls nor a page's markup.
func TestWordsAreOnlyWords(t *testing.T) {
	const evil = "\x1b]0;evil\a<script>alert(1)</script>\u009b"
	set := fixture()
	set.Spec.Question, set.Spec.Answer, set.Spec.Report.Labels = evil, evil, map[string]string{"old": evil}
	set.Spec.Report.Tables = []config.Table{
		{Title: "time" + evil, Rows: []string{"n"}, Columns: []string{"engine"}, Values: []string{"build_seconds"}}}
	set.Spec.Report.Plots = []config.Plot{{Title: "plot" + evil, Kind: "lines", X: "n", Y: "build_seconds", Series: []string{"engine"}}}
	files, err := Build(set)
	require.NoError(t, err)
	var out strings.Builder
	require.NoError(t, WriteSummary(&out, set, 0))
	files["terminal"] = []byte(out.String())
	for name, text := range files {
		if strings.HasSuffix(name, ".pdf") {
			continue
		}
		assert.NotContains(t, string(text), "\x1b", name)
		assert.NotContains(t, string(text), "\u009b", name)
		if name != "terminal" && !strings.HasSuffix(name, ".csv") && !strings.HasSuffix(name, ".tex") {
			assert.NotContains(t, string(text), "<script>alert", name)
		}
	}
}
