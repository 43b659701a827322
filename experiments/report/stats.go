package report

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/perf/benchmath"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/combin"
	"gonum.org/v1/gonum/stat/distuv"

	"queens/experiments/record"
)

// sample is a measure over the records of one point.
type sample struct {
	values []float64 // sorted; runs that a limit ended count as their lower bound
	raw    []float64 // the same, in the records' order
	units  []string  // seeds and repeat of each value in raw, which competitors share
	capped float64   // smallest lower bound of runs that a limit ended; 0 if there are none
	exact  bool      // whether it is a result, not a cost, and equal in all records
	lost   map[record.Outcome]int
	reach  map[record.Outcome]int // runs that count as a lower bound
	seed   uint64                 // seed of the bootstrap
	mean   bool                   // whether it is summarised by its mean
}

// limited reports whether the center is only a lower bound: most runs reached a limit.
func (s sample) limited(sum *estimate) bool { return s.capped > 0 && sum.center >= s.capped }

// estimate is a number with its interval; lo and hi are NaN where that is not known.
type estimate struct{ center, lo, hi float64 }

func exactly(v float64) *estimate { return &estimate{v, math.NaN(), math.NaN()} }

// interval returns lo and hi in words, without the unit if they share it with the center; it is empty if they
// are not known.
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

// extent returns the estimate with the least and the largest value as its interval, if the sample is too
// small for an interval and these values differ.
func (s sample) extent(e *estimate) *estimate {
	if least, most := s.values[0], s.values[len(s.values)-1]; s.few() && s.capped == 0 && least < most {
		return &estimate{e.center, least, most}
	}
	return e
}

// multiple is the ratio of a sample to a base, by medians or means, with its bootstrap interval.
type multiple struct {
	estimate
	exact   bool
	above   bool // whether it is a lower bound: most runs reached a limit
	differs bool // significantly, see against; exact values differ if unequal
	few     bool // whether there are too few samples for any test
}

// known reports whether there is a ratio; it is not if the base is 0.
func (m *multiple) known() bool { return m != nil && !math.IsNaN(m.center) && !math.IsInf(m.center, 0) }

// spreads reports whether the interval is known, and wide enough to show.
func (m *multiple) spreads() bool { return !math.IsNaN(m.lo) && times(m.lo) != times(m.hi) }

// chance returns the P that the sample differs from a base only by chance, and the smallest P possible for
// samples of these sizes. It uses Wilcoxon's signed-rank test if enough runs are paired, and otherwise the
// Mann-Whitney U test.
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
	// The smallest P is that of samples that do not overlap: 2 out of all ways to divide them.
	return p, 2 * math.Exp(-combin.LogGeneralizedBinomial(x+y, x))
}

// significance says when samples are taken to differ.
const significance = "at 0.05, by Wilcoxon's signed-rank test where six or more runs are paired by seed and repeat, else by " +
	"the Mann-Whitney U test"

// against compares the sample with a base; it returns nil if there is nothing to compare. The samples differ
// if a test, which is exact for samples this small, says so and the interval of the ratio excludes 1.
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

// The text of a cell without a number: its runs reported none, or there were no runs.
const (
	silent = "-"
	absent = ""
)

const (
	silentNote = "-: these runs report no such value."
	absentNote = "Blank: not measured."
)

// ratioInterval returns the interval of the ratio of two medians, or means. If both samples have the same
// units, such as the same placements, pairs are drawn; otherwise each sample is drawn on its own. ok is false
// if a sample is too small.
func (s sample) ratioInterval(base sample) (lo, hi float64, ok bool) {
	if len(s.raw) < enough || len(base.raw) < enough {
		return 0, 0, false
	}
	partner, paired := s.partners(base)
	if !paired {
		lo, hi = bootstrap(s.seed, len(s.raw)+len(base.raw), func(random *rand.Rand) float64 {
			return s.drawn(random) / base.drawn(random)
		})
		return lo, hi, true
	}
	a, b, places := newDeck(s.raw, s.mean), newDeck(base.raw, base.mean), make([]int, len(s.raw))
	lo, hi = bootstrap(s.seed, len(places), func(random *rand.Rand) float64 {
		resample(random, places)
		for _, i := range places {
			a.draw(i)
			b.draw(partner[i])
		}
		return a.center() / b.center()
	})
	return lo, hi, true
}

// drawn returns the median, or the mean, of a sample of the same size, drawn with replacement.
func (s sample) drawn(random *rand.Rand) float64 {
	if s.mean {
		return drawnMean(random, s.values)
	}
	return drawnMedian(random, s.values)
}

// partners returns, for each run of the sample, the base's run with the same seeds and repeat. ok reports
// whether this pairs all runs of both.
func (s sample) partners(base sample) (partner []int, ok bool) {
	at := map[string]int{}
	for i, unit := range base.units {
		at[unit] = i
	}
	ok = len(at) == len(base.raw) && len(base.raw) == len(s.raw)
	for _, unit := range s.units {
		j, found := at[unit]
		partner = append(partner, j)
		ok = ok && found
	}
	return partner, ok
}

// The words for a break-even that never comes, and for one that is not known.
const (
	never    = "never"
	notKnown = "not known"
)

// signedRank returns the two-sided P of Wilcoxon's signed-rank test, that paired values differ only by chance
// (Biometrics Bulletin 1, 1945). It ranks the ratios, and ignores equal pairs. It is exact for up to a
// hundred pairs, even with ties, and uses the normal approximation beyond.
func signedRank(a, b []float64) float64 {
	var differences []float64
	for i := range a {
		d := a[i] - b[i]
		if a[i] > 0 && b[i] > 0 {
			d = math.Log(a[i] / b[i])
		}
		if d != 0 {
			differences = append(differences, d)
		}
	}
	slices.SortFunc(differences, func(x, y float64) int { return cmp.Compare(math.Abs(x), math.Abs(y)) })
	// Twice the ranks, since ties share the mean of theirs.
	ranks, total, positive, squares := make([]int, len(differences)), 0, 0, 0.0
	for i := 0; i < len(differences); {
		start, end := i, i
		for end < len(differences) && math.Abs(differences[end]) == math.Abs(differences[i]) {
			end++
		}
		for ; i < end; i++ {
			ranks[i] = start + 1 + end
			total += ranks[i]
			squares += float64(ranks[i] * ranks[i])
			if differences[i] > 0 {
				positive += ranks[i]
			}
		}
	}
	if total == 0 {
		return 1
	}
	if len(ranks) > 100 {
		z := (math.Abs(float64(positive)-float64(total)/2) - 1) / math.Sqrt(squares/4)
		return 2 * distuv.UnitNormal.Survival(max(0, z))
	}
	chance := make([]float64, total+1) // probability of each sum of the ranks with a positive sign
	chance[0] = 1
	for _, r := range ranks {
		for sum := total; sum >= 0; sum-- {
			chance[sum] /= 2
			if sum >= r {
				chance[sum] += chance[sum-r] / 2
			}
		}
	}
	below, above := 0.0, 0.0
	for sum, p := range chance {
		if sum <= positive {
			below += p
		}
		if sum >= positive {
			above += p
		}
	}
	return min(1, 2*min(below, above))
}
