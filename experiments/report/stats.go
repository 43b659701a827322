package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"golang.org/x/perf/benchmath"

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
	values []float64 // rising; runs that a limit ended count as the limit
	capped float64   // the limit, when some runs reached it; else 0
	exact  bool      // a result, not a cost, and the same in all records
	lost   map[record.Outcome]int
	reach  map[record.Outcome]int // runs that count as the limit
}

// take gathers a measure. A run that the wall-clock limit ended is known to take
// longer than the limit: its wall time counts as the limit, which keeps medians
// and ranks right as long as fewer than half are such. The same holds for peak
// memory. Of a part of such a run (building, processor time) nothing is known:
// it may have been short, or never begun. It has no value and is counted, as in
// other runs that did not end well.
func (d *data) take(records []record.Row, measure string) sample {
	s := sample{lost: map[record.Outcome]int{}, reach: map[record.Outcome]int{}}
	for _, r := range records {
		limit := 0.0
		switch {
		case r.Outcome() == record.Timeout && measure == "wall_seconds":
			limit = time.Duration(d.set.Spec.Limits.WallClock).Seconds()
		case r.Outcome() == record.MemoryLimit && measure == "peak_rss_bytes":
			limit = float64(d.set.Spec.Limits.Memory)
		}
		v, ok := r.Number(measure)
		switch {
		case limit > 0:
			s.capped = limit
			s.reach[r.Outcome()]++
			s.values = append(s.values, limit)
		case r.Outcome() != record.OK:
			s.lost[r.Outcome()]++
		case ok:
			s.values = append(s.values, v)
		}
	}
	slices.Sort(s.values)
	s.exact = slices.Contains(d.results, measure) && len(s.values) > 0 && s.values[0] == s.values[len(s.values)-1]
	return s
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

// against compares with the base: how many times the base's median, where that
// is shown; ~ where the samples do not tell the two apart.
func (s sample) against(base sample) string {
	a, okA := s.summary()
	b, okB := base.summary()
	if !okA || !okB {
		return ""
	}
	if s.exact && base.exact {
		if a.center == b.center {
			return "(=)"
		}
		return ratio(a.center, b.center)
	}
	t := benchmath.DefaultThresholds
	c := benchmath.AssumeNothing.Compare(benchmath.NewSample(base.values, &t), benchmath.NewSample(s.values, &t))
	if math.IsNaN(c.P) || c.P >= c.Alpha || a.center == b.center {
		return "(~)"
	}
	return ratio(a.center, b.center)
}

func ratio(v, base float64) string {
	if base == 0 {
		return ""
	}
	r := v / base
	if r >= 100 {
		return fmt.Sprintf("(×%.0f)", r)
	}
	return fmt.Sprintf("(×%.3g)", r)
}
