package stats

import (
	"math"
	"slices"

	"golang.org/x/perf/benchmath"
	"gonum.org/v1/gonum/stat"
)

const (
	// Confidence is that of all intervals.
	Confidence = 0.95
	// Significant is the P below which samples are taken to differ.
	Significant = 1 - Confidence
	// Enough is the smallest number of values whose median has an interval at that confidence:
	// 1 - 2/2^6 = 0.969.
	Enough = 6
)

// Estimate is a number with its interval; Lo and Hi are NaN where that is not known.
type Estimate struct{ Center, Lo, Hi float64 }

// Exactly returns a number without an interval.
func Exactly(v float64) *Estimate { return &Estimate{v, math.NaN(), math.NaN()} }

// Between returns a number with its interval.
func Between(center, lo, hi float64) Estimate { return Estimate{center, lo, hi} }

// Sample is a sample of a measure. The zero value is empty.
type Sample struct {
	Raw    []float64 // the values
	Units  []string  // what each was measured on, such as a seed; samples of equal units are paired
	Sorted []float64 // the values in increasing order
	// Capped is the smallest of the values that are only lower bounds, such as the time of a run that a limit
	// ended; 0 if there are none.
	Capped float64
	Exact  bool   // whether the values are equal, and free of noise
	Mean   bool   // whether the sample is summarised by its mean, not its median
	Seed   uint64 // of the bootstrap
}

// New returns a sample of values, each with its unit.
func New(values []float64, units []string, seed uint64) Sample {
	return Sample{Raw: values, Units: units, Sorted: slices.Sorted(slices.Values(values)), Seed: seed}
}

// Few reports whether the sample is too small for an interval.
func (s Sample) Few() bool { return len(s.Raw) < Enough }

// Summary returns the sample's median or mean with its interval; nil if the sample is empty. The interval of a
// median is that of the binomial distribution of ranks, as benchstat's; that of a mean is a bootstrap's.
func (s Sample) Summary() *Estimate {
	if len(s.Raw) == 0 {
		return nil
	}
	if s.Mean {
		e := Exactly(stat.Mean(s.Sorted, nil))
		if !s.Few() {
			e.Lo, e.Hi = Bootstrap(s.Seed, len(s.Raw), s.drawn)
		}
		return e
	}
	sum := benchmath.AssumeNothing.Summary(benchmath.NewSample(s.Sorted, &benchmath.DefaultThresholds), Confidence)
	if s.Few() || math.IsInf(sum.Lo, 0) || math.IsInf(sum.Hi, 0) {
		return Exactly(sum.Center)
	}
	return &Estimate{sum.Center, sum.Lo, sum.Hi}
}

// Limited reports whether a summary of the sample is only a lower bound: most values are.
func (s Sample) Limited(sum *Estimate) bool { return s.Capped > 0 && sum.Center >= s.Capped }

// Extent returns a summary with the least and the largest value as its interval, if the sample is too small
// for an interval, these values differ, and none is a lower bound. Otherwise it returns the summary.
func (s Sample) Extent(sum *Estimate) *Estimate {
	if !s.Few() || s.Capped > 0 || s.Sorted[0] == s.Sorted[len(s.Sorted)-1] {
		return sum
	}
	return &Estimate{sum.Center, s.Sorted[0], s.Sorted[len(s.Sorted)-1]}
}

// partners returns, for each value of the sample, the place of the base's value with the same unit. ok reports
// whether this pairs all values of both.
func (s Sample) partners(base Sample) (partner []int, ok bool) {
	at := map[string]int{}
	for i, unit := range base.Units {
		at[unit] = i
	}
	ok = len(at) == len(base.Raw) && len(base.Raw) == len(s.Raw)
	for _, unit := range s.Units {
		j, found := at[unit]
		partner = append(partner, j)
		ok = ok && found
	}
	return partner, ok
}
