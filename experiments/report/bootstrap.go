package report

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// resamples is the number of samples that the bootstrap draws.
const resamples = 1000

// bootstrap returns the percentile interval of a statistic (Efron 1979): the range of its
// values over samples of n runs drawn with replacement from n runs, without the outermost
// values. The statistic is given the runs drawn, and may be infinite. The seed is that of the
// configuration, so the same records give the same interval.
func bootstrap(seed uint64, n int, statistic func(drawn []int) float64) (lo, hi float64) {
	random := rand.New(rand.NewPCG(seed, uint64(n)))
	values := make([]float64, resamples)
	drawn := make([]int, n)
	for i := range values {
		for j := range drawn {
			drawn[j] = random.IntN(n)
		}
		values[i] = statistic(drawn)
	}
	slices.Sort(values)
	outside := int(math.Round(resamples * (1 - confidence) / 2))
	return values[outside], values[resamples-1-outside]
}

// ratioInterval returns the interval of the ratio of two medians, or means. If both samples have the same
// units, such as the same placements, pairs are drawn; otherwise each sample is drawn on its
// own.
func (s sample) ratioInterval(base sample) (lo, hi float64, ok bool) {
	if len(s.raw) < enough || len(base.raw) < enough {
		return 0, 0, false
	}
	partner, paired := s.partners(base)
	a, b := make([]float64, len(s.raw)), make([]float64, len(base.raw))
	center := median
	if s.mean {
		center = func(values []float64) float64 { return stat.Mean(values, nil) }
	}
	n := len(s.raw)
	if !paired {
		n += len(base.raw)
	}
	lo, hi = bootstrap(s.seed, n, func(drawn []int) float64 {
		for i := range a {
			a[i] = s.raw[drawn[i]%len(s.raw)]
			if paired {
				b[i] = base.raw[partner[drawn[i]]]
			}
		}
		if !paired {
			for i := range b {
				b[i] = base.raw[drawn[len(a)+i]%len(base.raw)]
			}
		}
		return center(a) / center(b)
	})
	return lo, hi, true
}

// median sorts the values and returns their median.
func median(values []float64) float64 {
	slices.Sort(values)
	mid := values[len(values)/2]
	if len(values)%2 == 0 {
		mid = (values[len(values)/2-1] + mid) / 2
	}
	return mid
}
