package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"queens/experiments/record"
	"queens/experiments/stats"
)

// sample is a measure over the records of one point.
type sample struct {
	stats.Sample
	lost  map[record.Outcome]int // runs without a value
	reach map[record.Outcome]int // runs that count as a lower bound
}

// interval returns an estimate's interval in words, without the unit if it shares that with the center; it is
// empty if the interval is not known.
func interval(e stats.Estimate, word func(float64) string) string {
	if math.IsNaN(e.Lo) {
		return ""
	}
	low, high := word(e.Lo), word(e.Hi)
	digits, unit, _ := strings.Cut(word(e.Center), " ")
	if _, err := strconv.ParseFloat(strings.ReplaceAll(digits, ",", ""), 64); err == nil && unit != "" {
		if l, r := strings.TrimSuffix(low, " "+unit), strings.TrimSuffix(high, " "+unit); l != low && r != high {
			low, high = l, r
		}
	}
	return low + " to " + high
}

// spreads reports whether a ratio's interval is known, and wide enough to show.
func spreads(r *stats.Ratio) bool { return !math.IsNaN(r.Lo) && times(r.Lo) != times(r.Hi) }

// significance says when samples are taken to differ.
const significance = "at 0.05, by Wilcoxon's signed-rank test where six or more runs are paired by seed and repeat, else by " +
	"the Mann-Whitney U test"

// The text of a cell without a number: its runs reported none, or there were no runs.
const (
	silent = "-"
	absent = ""
)

// sameWork stands in place of a ratio where every number found is the same.
const sameWork = "(≡)"

const (
	sameNote   = "≡: the same work as the first column's, since every number found is the same: costs are not compared."
	silentNote = "-: these runs report no such value."
	absentNote = "Blank: not measured."
)

// The words for a break-even that never comes, and for one that is not known.
const (
	never    = "never"
	notKnown = "not known"
)

// marked is the number of significant differences above which a table or a report says how many of them chance makes.
const marked = 20

// byChance says, of many significant differences, that chance makes some.
func byChance(tests, differ int) []string {
	if differ <= marked {
		return nil
	}
	return []string{fmt.Sprintf("%d of %d comparisons are significant at 0.05; of comparisons where nothing differs, one in twenty "+
		"is, by chance.", differ, tests)}
}
