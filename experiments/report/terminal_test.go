package report

import (
	"strings"
	"testing"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/experiments/record"
	"queens/experiments/tasks"
)

// The tables of a comparison fit the terminal and lose nothing.
func TestComparisonFits(t *testing.T) {
	a, b := fixture(), fixture()
	for _, row := range b.Rows {
		row.Set("build_seconds", row.Cell("build_seconds")+"5")
		row.Set("wall_seconds", "1"+row.Cell("wall_seconds"))
	}
	var free strings.Builder
	_, err := WriteComparison(&free, a, b, 0)
	require.NoError(t, err)
	require.Contains(t, free.String(), "Significant changes")
	for _, width := range []int{60, 80, 100, 200} {
		var out strings.Builder
		_, err := WriteComparison(&out, a, b, width)
		require.NoError(t, err)
		_, tables, found := strings.Cut(out.String(), "Costs, by medians")
		require.True(t, found)
		for line := range strings.Lines(tables) {
			assert.LessOrEqual(t, text.StringWidth(strings.TrimRight(line, "\n")), width, line)
		}
		for _, word := range strings.Fields(free.String()) {
			if !strings.ContainsAny(word, "─┌┐└┘├┤┬┴┼│") {
				assert.Contains(t, out.String(), word, "width %d", width)
			}
		}
	}
}

// No line is wider than the terminal, nothing is lost, and values that are the same everywhere are shown
// once.
func TestSummaryFits(t *testing.T) {
	set, err := record.Read("../../results/reference/ordering", tasks.Kinds())
	require.NoError(t, err)
	var free strings.Builder
	require.NoError(t, WriteSummary(&free, set, "harness", 0))
	for _, width := range []int{60, 80, 100, 200} {
		var out strings.Builder
		require.NoError(t, WriteSummary(&out, set, "harness", width))
		for line := range strings.Lines(out.String()) {
			if !strings.Contains(line, "runs in") && !strings.Contains(line, "next: ") { // a path is not cut
				assert.LessOrEqual(t, text.StringWidth(strings.TrimRight(line, "\n")), width, line)
			}
		}
		for _, word := range strings.Fields(free.String()) {
			if !strings.ContainsAny(word, "─┌┐└┘├┤┬┴┼│") {
				assert.Contains(t, out.String(), word, "width %d", width)
			}
		}
	}
	assert.Contains(t, free.String(), "\nAt n = 11, diagonal-interleaved has 1.25 and random:1 1.66 times the nodes of row-major; column-major: as many nodes as row-major. ")
	assert.Equal(t, 2, strings.Count(free.String(), "┌"), "two tables")
}
