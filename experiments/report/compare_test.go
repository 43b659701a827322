package report

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/experiments/config"
	"queens/experiments/record"
)

// setOfSeeds is a record set with one run for each of 12 seeds, whose costs differ a hundredfold, times
// a factor.
func setOfSeeds(factor float64) record.Set {
	set := fixture()
	var rows []record.Row
	for _, r := range set.Rows {
		if r.Cell("repeat") != "0" {
			continue
		}
		for seed := range 12 {
			row := copied(r)
			cost := float64(1+seed*seed) * (1 + float64(seed%3)/100)
			row.Set("seed", fmt.Sprint(seed))
			row.Set("build_seconds", fmt.Sprint(cost*factor))
			rows = append(rows, row)
		}
	}
	set.Rows = rows
	return set
}

// A tenth more at every seed is significant at every point, since seeds are pooled and compared pair by pair.
// The last line is the verdict.
func TestComparisonPoolsSeeds(t *testing.T) {
	var out strings.Builder
	found, err := WriteComparison(&out, setOfSeeds(1), setOfSeeds(1.1), 0)
	require.NoError(t, err)
	assert.Empty(t, found.Results)
	assert.Contains(t, out.String(), "│ build       │ 4      │ 0      │ 4      │ 0             │ 1.100          │\n")
	assert.Contains(t, out.String(), "n 4, engine old")
	assert.NotContains(t, out.String(), "seed 1")
	a, b := setOfSeeds(1), setOfSeeds(1.1)
	for _, set := range []*record.Set{&a, &b} {
		set.Spec.Report.Tables = []config.Table{{Title: "t", Rows: []string{"n"}, Columns: []string{"engine"}, Values: []string{"size", "build_seconds"}}}
	}
	b.Environments[0].CPU = "slide rule"
	b.Rows[5].Set("size", b.Rows[5].Cell("size")+"1")
	out.Reset()
	found, err = WriteComparison(&out, a, b, 0)
	require.NoError(t, err)
	assert.NotEmpty(t, found.Results)
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	assert.Equal(t, "Verdict: 1 answers or results differ at 48 points; build in B is 1.1 times A's (geometric mean of 4 points; "+
		"significantly less at 0, more at 4); the environments differ.", lines[len(lines)-1])
}

func TestSetsWithoutACommonPointAreNotCompared(t *testing.T) {
	a, b := fixture(), fixture()
	for _, r := range b.Rows {
		r.Set("n", "7")
	}
	_, err := WriteComparison(io.Discard, a, b, 0)
	assert.EqualError(t, err, "fixture (toy: n = 4, 5; engine = old, new; seed = 0, 1) and fixture (toy: engine = old, new; "+
		"seed = 0, 1) have no point in common")
	b = fixture()
	b.Spec.Task = "game"
	_, err = WriteComparison(io.Discard, a, b, 0)
	assert.ErrorContains(t, err, "have no point in common")
}
