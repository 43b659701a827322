package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"queens/experiments"
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
	idleNote   = "Never asked: no run called the solver, since unit propagation settled everything: no ratio."
	fewNote    = "No ratio where the runs are too few to test it."
	silentNote = "-: these runs report no such value."
	absentNote = "Blank: not measured."
)

// neverAsked stands in place of a ratio between solvers where one made no call, see [data.idle].
const neverAsked = "never asked"

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

// idle reports whether the columns compare solvers, and no run of the records called its solver.
func (d *data) idle(columns []string, records []record.Row) bool {
	const solver = "solver"
	if !slices.Contains(columns, solver) || !slices.Contains(d.varied, solver) {
		return false
	}
	return uncalled(records)
}

// uncalled reports whether all records are of SAT, and none called its solver.
func uncalled(records []record.Row) bool {
	return len(records) > 0 && !slices.ContainsFunc(records, func(r record.Row) bool {
		return r.Cell("backend") != "sat" || cmp.Or(r.Cell("work_per_query"), r.Cell("session_work")) != "0"
	})
}

// take collects a measure. A run that the wall-clock limit ended is known to take longer, so its wall time
// counts as the limit, and the time of its unfinished phase as what was left of the limit. That keeps medians
// and ranks right as long as fewer than half of the runs are like this. Its finished phases have their times.
// Peak memory is treated in the same way. Nothing is known about a phase that never began: it has no value
// and counts as lost, as in other runs that did not end well.
func (d *data) take(records []record.Row, measure string) sample {
	s := sample{lost: map[record.Outcome]int{}, reach: map[record.Outcome]int{}}
	var values []float64
	var units []string
	capped := 0.0
	for _, r := range records {
		v, ok := r.Number(measure)
		limit := d.limit(r, measure)
		limited := r.Outcome() == record.Timeout || r.Outcome() == record.MemoryLimit
		switch {
		case limit > 0:
			if capped == 0 || limit < capped {
				capped = limit
			}
			s.reach[r.Outcome()]++
			v = limit
		case ok && (r.Outcome() == record.OK || limited && slices.ContainsFunc(experiments.Phases(),
			func(p experiments.Phase) bool { return p.Column() == measure || p.CPUColumn() == measure })):
		case r.Outcome() != record.OK:
			s.lost[r.Outcome()]++
			continue
		default:
			continue
		}
		values, units = append(values, v), append(units, d.sharedName(r))
	}
	s.Sample = stats.New(values, units, d.set.Spec.Seed)
	s.Capped = capped
	s.Exact = slices.Contains(d.results, measure) && len(values) > 0 && s.Sorted[0] == s.Sorted[len(values)-1]
	return s
}

// limit returns a lower bound on a measure of a run that a limit ended; 0 if none is known.
func (d *data) limit(r record.Row, measure string) float64 {
	limits := d.set.Spec.Limits
	switch {
	case r.Outcome() == record.MemoryLimit && measure == "peak_rss_bytes":
		return float64(limits.Memory)
	case r.Outcome() != record.Timeout:
		return 0
	case measure == "wall_seconds":
		return time.Duration(limits.WallClock).Seconds()
	case measure == r.Cell("unfinished") && measure != experiments.LaterQueries.Column(): // which is a mean
		left := time.Duration(limits.WallClock).Seconds()
		for _, p := range experiments.Phases() {
			if spent, ok := r.Number(p.Column()); ok {
				left -= spent
			}
		}
		return left
	}
	return 0
}
