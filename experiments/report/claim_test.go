package report

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/experiments/config"
	"queens/experiments/record"
	"queens/experiments/stats"
	"queens/experiments/tasks"
)

// A claim holds only if every cell is wholly within, fails if one is wholly outside, and is not
// decided if an interval reaches over a bound or a number has no interval.
func TestVerdicts(t *testing.T) {
	fair := stats.Between(2, 1.5, 2.5)
	for _, c := range []struct {
		bounds string
		cells  []stats.Estimate
		want   Verdict
	}{
		{"> 1", []stats.Estimate{fair}, Holds},
		{"> 1.5", []stats.Estimate{fair}, Undecided},
		{"< 1.6", []stats.Estimate{fair}, Undecided},
		{"< 1", []stats.Estimate{fair}, Fails},
		{"1.5 to 2.5", []stats.Estimate{fair}, Holds},
		{"1.6 to 2.5", []stats.Estimate{fair}, Undecided},
		{"= 4", []stats.Estimate{stats.Between(4, 4, 4)}, Holds},
		{"= 4", []stats.Estimate{stats.Between(4, 4, 4), stats.Between(5, 5, 5)}, Fails},
		{"> 1", []stats.Estimate{fair, *stats.Exactly(3)}, Undecided},
		{"> 1", []stats.Estimate{*stats.Exactly(3), stats.Between(0.5, 0.4, 0.6)}, Fails},
	} {
		one := table{part: part{Title: "T"}, Header: []string{"n", "c"}, names: 1}
		for _, e := range c.cells {
			one.Rows = append(one.Rows, []cell{wordCell("1"), {number: &e, measure: "x_seconds"}})
		}
		d := NewDocuments("", nil)
		d.known["s"] = quotable{tables: map[string]Quoted{"T": {table: one}}}
		text, err := d.Fill("c.md", []byte(`{{claim "C" ((table "s" "T").Values "`+c.bounds+`" "c")}}`))
		require.NoError(t, err)
		assert.Equal(t, c.want, d.Worst, "%s of %v:\n%s", c.bounds, c.cells, text)
		assert.True(t, strings.HasPrefix(string(text), "- **"+c.want.String()+"**: C (seen "), "%s", text)
	}
	for _, wrong := range []string{"about 1", "1", "2 to 1", "< NaN", "> Inf", "1 to x", ""} {
		_, _, err := bounds(wrong)
		assert.ErrorContains(t, err, `expected "< 1"`, wrong)
	}
}

// The shipped claims quote tables that their configurations make, and each configuration serves one.
func TestShippedClaimsQuoteCore(t *testing.T) {
	t.Chdir("../..") // where configurations name files
	source, err := os.ReadFile("configs/core/conclusions.md")
	require.NoError(t, err)
	quoted := map[string]bool{}
	for _, call := range regexp.MustCompile(`table "([^"]*)" "([^"]*)"`).FindAllStringSubmatch(string(source), -1) {
		name, shipped := strings.CutPrefix(call[1], "../reference/")
		if shipped { // its models may not be here, so its configuration cannot be loaded
			report, err := os.ReadFile("results/reference/" + name + "/report/report.md")
			require.NoError(t, err, call[0])
			assert.Contains(t, string(report), "\n### "+call[2]+"\n", call[0])
			continue
		}
		asked, err := config.Load("configs/core/"+name+".yaml", nil, tasks.Kinds())
		require.NoError(t, err, call[0])
		made := slices.ContainsFunc(asked.Report.Tables, func(t config.Table) bool { return slices.Contains(t.Titles(), call[2]) }) ||
			slices.ContainsFunc(asked.Report.Plots, func(p config.Plot) bool { return slices.Contains(p.Titles(), call[2]) })
		assert.True(t, made, call[0])
		quoted[name] = true
	}
	files, err := filepath.Glob("configs/core/*.yaml")
	require.NoError(t, err)
	assert.Len(t, quoted, len(files), "every configuration serves a claim")
}

// Claims are not decided on a set that misses runs or columns, and wrong answers are noted.
func TestClaimsNeedWholeSets(t *testing.T) {
	judge := func(change func(*record.Set)) *Documents {
		set := stored(t)
		change(&set)
		d := NewDocuments("", func(string) (record.Set, error) { return set, nil })
		_, err := d.Fill("c.md", []byte(`{{claim "C" ((table "s" "time").Ratios "< 0.5" "new")}}`))
		require.NoError(t, err)
		return d
	}
	whole := judge(func(*record.Set) {})
	assert.Equal(t, Holds, whole.Worst)
	assert.Empty(t, whole.Wrong)
	assert.Equal(t, Undecided, judge(func(s *record.Set) { s.Rows = s.Rows[1:] }).Worst)
	wrong := judge(func(s *record.Set) { s.Rows[3].Set("outcome", "wrong") })
	assert.Equal(t, Undecided, wrong.Worst)
	assert.Equal(t, []string{"s"}, wrong.Wrong)
	assert.Equal(t, Undecided, judge(func(s *record.Set) {
		s.Rows = slices.DeleteFunc(s.Rows, func(r record.Row) bool { return r.Cell("engine") == "new" })
		s.Spec.Axes["engine"] = config.Axis{"old"}
	}).Worst)
}
