package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"golang.org/x/perf/benchmath"

	"queens/experiments"
	"queens/experiments/record"
)

const (
	confidence = 0.95
	// enough is the least number of samples whose median has an interval at that
	// confidence: 1 - 2/2^6 = 0.969.
	enough = 6
)

// sample is a measure over the records of one point.
type sample struct {
	values []float64 // rising; runs that a limit ended count as what is known that they take
	raw    []float64 // the same in the records' order
	units  []string  // which run each of raw is of, whoever competes: its seeds and repeat
	capped float64   // the least that such a run is known to take, when there are some; else 0
	exact  bool      // a result, not a cost, and the same in all records
	lost   map[record.Outcome]int
	reach  map[record.Outcome]int // runs that count as the limit
	seed   uint64                 // of the bootstrap
}

// take gathers a measure. A run that the wall-clock limit ended is known to take
// longer: its wall time counts as the limit, and the phase that it did not finish as
// what was left of the limit then, which keeps medians and ranks right as long as fewer
// than half are such. Phases that it had finished have their times. The same holds for
// peak memory. Of a phase that it never began nothing is known: it has no value and is
// counted, as in other runs that did not end well.
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

// limit is what a run that a limit ended is known to take at least of a measure; 0 when
// nothing is known.
func (d *data) limit(r record.Row, measure string) float64 {
	limits := d.set.Spec.Limits
	switch {
	case r.Outcome() == record.MemoryLimit && measure == "peak_rss_bytes":
		return float64(limits.Memory)
	case r.Outcome() != record.Timeout:
		return 0
	case measure == "wall_seconds":
		return time.Duration(limits.WallClock).Seconds()
	case measure == r["unfinished"] && measure != experiments.LaterQueries.Column(): // that one is a mean
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

// unit names a run by what competitors share: its seeds and its repeat.
func (d *data) unit(r record.Row) string {
	words := []string{r[repeatColumn]}
	for _, p := range d.varied {
		if isSeed(p) {
			words = append(words, r[p])
		}
	}
	return strings.Join(words, " ")
}

// isSeed reports whether a parameter only repeats an experiment with other chance.
func isSeed(parameter string) bool {
	return parameter == seedColumn || strings.HasSuffix(parameter, "_"+seedColumn)
}

// summary is a median with its interval. lo and hi are NaN where there are too
// few samples.
type summary struct{ center, lo, hi float64 }

func (s sample) summary() (summary, bool) {
	if len(s.values) == 0 {
		return summary{}, false
	}
	sum := benchmath.AssumeNothing.Summary(benchmath.NewSample(s.values, &benchmath.DefaultThresholds), confidence)
	out := summary{sum.Center, sum.Lo, sum.Hi}
	if len(s.values) < enough || math.IsInf(out.lo, 0) || math.IsInf(out.hi, 0) {
		out.lo, out.hi = math.NaN(), math.NaN()
	}
	return out, true
}

// text shows the median, its interval as percentages, and what became of runs
// without a value.
func (s sample) text(measure string) string {
	var words []string
	if sum, ok := s.summary(); ok {
		word := number(measure, sum.center)
		if s.capped > 0 && sum.center >= s.capped {
			word = ">" + number(measure, s.capped)
		} else if !math.IsNaN(sum.lo) && sum.lo < sum.hi && sum.center > 0 {
			word += fmt.Sprintf(" ±%.0f%%", 100*max(sum.hi-sum.center, sum.center-sum.lo)/sum.center)
		}
		words = append(words, word)
	}
	for _, tally := range []map[record.Outcome]int{s.reach, s.lost} {
		if t := outcomeText(tally); t != "" {
			words = append(words, "["+t+"]")
		}
	}
	return strings.Join(words, " ")
}

// multiple is how many times a base something is, by medians.
type multiple struct {
	times     float64
	lo, hi    float64 // bootstrap interval; NaN where unknown
	exact     bool
	above     bool // most of its runs reached a limit: it is known to be more
	toldApart bool // by a Mann-Whitney U test; exact ones when they differ
}

// against compares with the base; nil where there is nothing to compare.
func (s sample) against(base sample) *multiple {
	a, okA := s.summary()
	b, okB := base.summary()
	if !okA || !okB {
		return nil
	}
	m := &multiple{times: a.center / b.center, lo: math.NaN(), hi: math.NaN()}
	if m.exact = s.exact && base.exact; m.exact {
		m.toldApart = a.center != b.center
		return m
	}
	t := benchmath.DefaultThresholds
	c := benchmath.AssumeNothing.Compare(benchmath.NewSample(base.values, &t), benchmath.NewSample(s.values, &t))
	m.toldApart = !math.IsNaN(c.P) && c.P < c.Alpha && a.center != b.center
	if m.above = s.capped > 0 && a.center >= s.capped; m.above {
		return m
	}
	if lo, hi, ok := s.ratioInterval(base); ok {
		m.lo, m.hi = lo, hi
	}
	return m
}

// text is what stands in a table: × where a difference is shown, ~ where the samples do not
// tell the two apart.
func (m *multiple) text() string {
	switch {
	case math.IsInf(m.times, 0) || math.IsNaN(m.times):
		return ""
	case m.exact && !m.toldApart:
		return "(=)"
	case !m.toldApart:
		return "(~)"
	case m.above:
		return fmt.Sprintf("(×>%s)", times(m.times))
	case math.IsNaN(m.lo) || times(m.lo) == times(m.hi):
		return fmt.Sprintf("(×%s)", times(m.times))
	}
	return fmt.Sprintf("(×%s, %s to %s)", times(m.times), times(m.lo), times(m.hi))
}

// times writes a ratio.
func times(r float64) string {
	if r >= 100 {
		return fmt.Sprintf("%.0f", r)
	}
	return fmt.Sprintf("%.3g", r)
}
