package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/perf/benchmath"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/combin"

	"queens/experiments"
	"queens/experiments/record"
)

const (
	confidence  = 0.95
	significant = 1 - confidence
	// enough is the smallest number of samples whose median has an interval at that confidence:
	// 1 - 2/2^6 = 0.969.
	enough = 6
)

// sample is a measure over the records of one point.
type sample struct {
	values []float64 // sorted; runs that a limit ended count as their lower bound
	raw    []float64 // the same, in the records' order
	units  []string  // seeds and repeat of each value in raw, which competitors share
	capped float64   // smallest lower bound of runs that a limit ended; 0 if there are none
	exact  bool      // whether it is a result, not a cost, and the same in all records
	lost   map[record.Outcome]int
	reach  map[record.Outcome]int // runs that count as a lower bound
	seed   uint64                 // of the bootstrap
	mean   bool                   // whether it is summarised by its mean
}

// take collects a measure. A run that the wall-clock limit ended is known to take longer: its
// wall time counts as the limit, and the phase that it did not finish as what was left of the
// limit, which keeps medians and ranks right as long as fewer than half of the runs are like
// this. Phases that it had finished have their times. Peak memory is treated in the same way.
// Nothing is known about a phase that it never began: that has no value and is counted as lost,
// as in other runs that did not end well.
func (d *data) take(records []record.Row, measure string) sample {
	s := sample{lost: map[record.Outcome]int{}, reach: map[record.Outcome]int{}, seed: d.set.Spec.Seed}
	for _, r := range records {
		v, ok := r.Number(measure)
		limit := d.limit(r, measure)
		limited := r.Outcome() == record.Timeout || r.Outcome() == record.MemoryLimit
		switch {
		case limit > 0:
			if s.capped == 0 || limit < s.capped {
				s.capped = limit
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
		s.raw = append(s.raw, v)
		s.units = append(s.units, d.unit(r))
	}
	s.values = slices.Sorted(slices.Values(s.raw))
	s.exact = slices.Contains(d.results, measure) && len(s.values) > 0 && s.values[0] == s.values[len(s.values)-1]
	return s
}

// limit returns the lower bound on a measure of a run that a limit ended; 0 if nothing is
// known.
func (d *data) limit(r record.Row, measure string) float64 {
	limits := d.set.Spec.Limits
	switch {
	case r.Outcome() == record.MemoryLimit && measure == "peak_rss_bytes":
		return float64(limits.Memory)
	case r.Outcome() != record.Timeout:
		return 0
	case measure == "wall_seconds":
		return time.Duration(limits.WallClock).Seconds()
	case measure == r.Cell("unfinished") && measure != experiments.LaterQueries.Column(): // that one is a mean
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

// unit identifies a run by what competitors share: its seeds and its repeat.
func (d *data) unit(r record.Row) string {
	words := []string{r.Cell(repeatColumn)}
	for _, p := range d.varied {
		if isSeed(p) {
			words = append(words, r.Cell(p))
		}
	}
	return strings.Join(words, " ")
}

// isSeed reports whether a parameter only repeats an experiment with different random choices.
func isSeed(parameter string) bool {
	return parameter == seedColumn || strings.HasSuffix(parameter, "_"+seedColumn)
}

// limited reports whether the center is only a lower bound: most runs reached a limit.
func (s sample) limited(sum *estimate) bool { return s.capped > 0 && sum.center >= s.capped }

// estimate is a number with its interval; lo and hi are NaN where that is not known.
type estimate struct{ center, lo, hi float64 }

func exactly(v float64) *estimate { return &estimate{v, math.NaN(), math.NaN()} }

// interval returns lo and hi in words, without a unit that they share with the center; it is empty if they are not
// known.
func (e estimate) interval(word func(float64) string) string {
	if math.IsNaN(e.lo) {
		return ""
	}
	low, high := word(e.lo), word(e.hi)
	digits, unit, _ := strings.Cut(word(e.center), " ")
	if _, err := strconv.ParseFloat(strings.ReplaceAll(digits, ",", ""), 64); err == nil && unit != "" {
		if l, r := strings.TrimSuffix(low, " "+unit), strings.TrimSuffix(high, " "+unit); l != low && r != high {
			low, high = l, r
		}
	}
	return low + " to " + high
}

// summary returns the sample's median, or its mean; nil if it is empty.
func (s sample) summary() *estimate {
	if len(s.values) == 0 {
		return nil
	}
	if s.mean {
		e := exactly(stat.Mean(s.values, nil))
		if len(s.values) >= enough {
			e.lo, e.hi = bootstrap(s.seed, len(s.values), s.drawn)
		}
		return e
	}
	sum := benchmath.AssumeNothing.Summary(benchmath.NewSample(s.values, &benchmath.DefaultThresholds), confidence)
	if s.few() || math.IsInf(sum.Lo, 0) || math.IsInf(sum.Hi, 0) {
		return exactly(sum.Center)
	}
	return &estimate{sum.Center, sum.Lo, sum.Hi}
}

// few reports whether the sample is too small for an interval.
func (s sample) few() bool { return len(s.values) < enough }

// extent returns the estimate with the least and the largest value in place of an interval, if the sample is
// too small for one and they differ.
func (s sample) extent(e *estimate) *estimate {
	if least, most := s.values[0], s.values[len(s.values)-1]; s.few() && s.capped == 0 && least < most {
		return &estimate{e.center, least, most}
	}
	return e
}

// cell shows the median, or the mean, with its interval, or with the least and the largest value of few runs, and what
// became of runs without a value.
func (s sample) cell(measure string) (c cell) {
	if e := s.summary(); e != nil {
		word := func(v float64) string { return number(measure, v) }
		c = estimated(e, word)
		switch {
		case s.limited(e):
			c.above, c.extent = s.capped, nil
			c.value, c.spread = ">"+number(measure, s.capped), ""
		case s.few():
			c.extent = s.extent(e)
			c.spread = estimated(c.extent, word).spread
		}
	}
	for _, tally := range []map[record.Outcome]int{s.reach, s.lost} {
		if t := outcomeText(tally); t != "" {
			c.lost = spaced(c.lost, "["+t+"]")
		}
	}
	c.measure, c.n = measure, len(s.values)
	return c
}

// multiple is the ratio of a sample to a base, by medians or means, with its bootstrap interval.
type multiple struct {
	estimate
	exact   bool
	above   bool // whether it is a lower bound: most runs reached a limit
	differs bool // significantly, see against; exact values if unequal
	few     bool // whether there are too few samples for any test
}

// chance returns the P that the sample differs from a base by nothing but chance, and the least P
// that samples of their sizes could have: by Wilcoxon's signed-rank test where enough runs
// are paired, else by the Mann-Whitney U test.
func (s sample) chance(base sample) (p, least float64) {
	x, y := float64(len(base.values)), float64(len(s.values))
	if partner, paired := s.partners(base); paired && len(s.raw) >= enough {
		others := make([]float64, len(s.raw))
		for i, j := range partner {
			others[i] = base.raw[j]
		}
		return signedRank(s.raw, others), math.Exp2(1 - x)
	}
	t := benchmath.DefaultThresholds
	p = benchmath.AssumeNothing.Compare(benchmath.NewSample(base.values, &t), benchmath.NewSample(s.values, &t)).P
	if math.IsNaN(p) {
		p = 1
	}
	// That of samples which do not overlap: 2 in all ways to divide them.
	return p, 2 * math.Exp(-combin.LogGeneralizedBinomial(x+y, x))
}

// significance says when samples are taken to differ.
const significance = "at 0.05, by Wilcoxon's signed-rank test where six or more runs are paired by seed and repeat, else by " +
	"the Mann-Whitney U test"

// against compares the sample with a base; nil if there is nothing to compare. They differ if a test, which
// is exact for as few runs as these, says so, and the interval of the ratio leaves out 1.
func (s sample) against(base sample) *multiple {
	a, b := s.summary(), base.summary()
	if a == nil || b == nil {
		return nil
	}
	m := &multiple{estimate: *exactly(a.center / b.center)}
	if m.exact = s.exact && base.exact; m.exact {
		m.differs = a.center != b.center
		return m
	}
	p, least := s.chance(base)
	m.differs = p < significant && a.center != b.center
	m.few = least >= significant
	if m.above = s.limited(a); m.above {
		return m
	}
	if lo, hi, ok := s.ratioInterval(base); ok {
		m.lo, m.hi = lo, hi
		m.differs = m.differs && (lo > 1 || hi < 1)
	}
	return m
}

// fewRuns follows a multiple of samples that are too few to test.
const fewRuns = ", few runs"

// text returns the multiple as it is shown in a table: × if there is a difference, ~ if there is
// no significant one, and the ratio with a warning if they are too few to.
func (m *multiple) text(interval bool) string {
	switch {
	case m == nil || math.IsInf(m.center, 0) || math.IsNaN(m.center):
		return ""
	case m.exact && !m.differs:
		return "(=)"
	case m.few:
		return fmt.Sprintf("(×%s%s)", times(m.center), fewRuns)
	case !m.differs:
		return "(~)"
	case m.above:
		return fmt.Sprintf("(×>%s)", times(m.center))
	case interval && !math.IsNaN(m.lo) && times(m.lo) != times(m.hi):
		return fmt.Sprintf("(×%s, %s)", times(m.center), m.interval(times))
	}
	return fmt.Sprintf("(×%s)", times(m.center))
}

// times formats a ratio.
func times(r float64) string {
	if math.IsInf(r, 1) {
		return "∞"
	}
	if r >= 100 {
		return grouped(fmt.Sprintf("%.0f", r))
	}
	if r > 0 && r < 1e-4 {
		return digits3(r)
	}
	return fmt.Sprintf("%.3g", r)
}

// shown records what the medians of a table or a plot were taken over, for its notes.
type shown struct {
	runs   []int // per median; exact results are not counted
	pooled []string
	means  bool
	silent bool // whether some cell has runs without a value, and absent: whether some has no run
	absent bool
}

// What stands in a cell without a number: runs said nothing, or there were none.
const (
	silent = "-"
	absent = ""
)

// add counts a sample whose median is shown, and the parameters that differ among its records.
func (s *shown) add(d *data, of sample, records []record.Row) {
	s.pooled = append(s.pooled, varying(records, d.varied)...)
	if n := len(of.values); n > 0 && !of.exact {
		s.runs = append(s.runs, n)
		s.means = s.means || of.mean
	}
}

// extent returns the smallest and the largest number of runs, and both in words.
func (s *shown) extent() (least, most int, text string) {
	if len(s.runs) > 0 {
		least, most = slices.Min(s.runs), slices.Max(s.runs)
	}
	if least == most {
		return least, most, fmt.Sprintf("%d runs", most)
	}
	return least, most, fmt.Sprintf("%d to %d runs", least, most)
}

// notes returns what a reader must know: what the numbers are, and what they hide.
func (s *shown) notes(d *data) []string {
	var notes []string
	least, most, runs := s.extent()
	kind := "Medians"
	if s.means {
		kind = "Means"
	}
	switch {
	case most == 1:
		notes = append(notes, "Each number is from a single run.")
	case most >= enough && s.means:
		notes = append(notes, fmt.Sprintf("Means of %s, with their 95%% bootstrap intervals.", runs))
	case most > 1 && most < enough:
		notes = append(notes, fmt.Sprintf("%s of %s, with the least and the largest: an interval needs %d.", kind, runs, enough))
	case most > 1:
		notes = append(notes, fmt.Sprintf("Medians of %s, with their 95%% confidence intervals.", runs))
		if least < enough {
			notes = append(notes, fmt.Sprintf("One of fewer than %d has the least and the largest instead.", enough))
		}
	}
	pooled := intersect(d.varied, s.pooled)
	for _, p := range pooled {
		notes = append(notes, fmt.Sprintf("Over all values of %s: %s.", p, listed(d.values[p])))
	}
	if s.silent {
		notes = append(notes, "-: these runs report no such value.")
	}
	if s.absent {
		notes = append(notes, "Blank: not measured.")
	}
	if len(pooled) > 0 && most >= enough {
		notes = append(notes, "The interval includes the effect of these, not only the noise of measuring.")
	}
	return notes
}
