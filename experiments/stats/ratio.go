package stats

import (
	"math"
	"math/rand/v2"
	"slices"

	"golang.org/x/perf/benchmath"
)

// Ratio is the ratio of a sample's median or mean to a base's, with its bootstrap interval.
type Ratio struct {
	Estimate
	Exact   bool // whether both samples are: they differ if they are unequal
	Above   bool // whether it is a lower bound: most of the sample's values are
	Below   bool // whether it is an upper bound: most of the base's values are lower bounds
	Differs bool // whether the samples differ significantly
	Few     bool // whether there are too few values for any test
}

// Known reports whether there is a ratio; it is not if the base is 0.
func (r *Ratio) Known() bool { return r != nil && !math.IsNaN(r.Center) && !math.IsInf(r.Center, 0) }

// Tested reports whether there is a ratio of noisy values that are enough for a test.
func (r *Ratio) Tested() bool { return r != nil && !r.Exact && !r.Few }

// Against compares the sample with a base; it returns nil if one of them is empty. The samples differ if a
// test, which is exact for samples this small, says so and the interval of the ratio excludes 1.
func (s Sample) Against(base Sample) *Ratio {
	a, b := s.Summary(), base.Summary()
	if a == nil || b == nil {
		return nil
	}
	r := &Ratio{Estimate: *Exactly(a.Center / b.Center)}
	if r.Exact = s.Exact && base.Exact; r.Exact {
		r.Differs = a.Center != b.Center
		return r
	}
	p, least := s.Chance(base)
	r.Differs = p < Significant && a.Center != b.Center
	r.Few = least >= Significant
	if r.Above = s.Limited(a); r.Above {
		return r
	}
	if r.Below = base.Limited(b); r.Below {
		return r
	}
	if lo, hi, ok := s.ratioInterval(base); ok {
		r.Lo, r.Hi = lo, hi
		r.Differs = r.Differs && (lo > 1 || hi < 1)
	}
	return r
}

// ratioInterval returns the interval of the ratio of two medians, or means. If both samples have the same
// units, such as the same placements, pairs are drawn; otherwise each sample is drawn on its own. ok is false
// if a sample is too small.
func (s Sample) ratioInterval(base Sample) (lo, hi float64, ok bool) {
	if s.Few() || base.Few() {
		return 0, 0, false
	}
	partner, paired := s.partners(base)
	if !paired {
		lo, hi = Bootstrap(s.Seed, len(s.Raw)+len(base.Raw), func(random *rand.Rand) float64 {
			return s.drawn(random) / base.drawn(random)
		})
		return lo, hi, true
	}
	a, b, drawn := newDeck(s), newDeck(base), make([]int, len(s.Raw))
	lo, hi = Bootstrap(s.Seed, len(drawn), func(random *rand.Rand) float64 {
		resample(random, drawn)
		for _, i := range drawn {
			a.draw(i)
			b.draw(partner[i])
		}
		return a.center() / b.center()
	})
	return lo, hi, true
}

// Overall summarises positive ratios, one of each point: their geometric mean, with the interval that Student's t gives
// for the mean of their logarithms (NaN for fewer than two), and the two-sided P of Wilcoxon's signed-rank test that they
// are as often above 1 as below. Fleming and Wallace (CACM 29, 1986) say why the mean of ratios is the geometric one.
func Overall(ratios []float64) (mean Estimate, p float64) {
	logs := make([]float64, len(ratios))
	for i, r := range ratios {
		logs[i] = math.Log(r)
	}
	p = SignedRank(ratios, slices.Repeat([]float64{1}, len(ratios)))
	if len(ratios) < 2 {
		return *Exactly(math.Exp(logs[0])), p
	}
	sum := benchmath.AssumeNormal.Summary(benchmath.NewSample(logs, &benchmath.DefaultThresholds), Confidence)
	return Between(math.Exp(sum.Center), math.Exp(sum.Lo), math.Exp(sum.Hi)), p
}
