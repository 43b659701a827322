package report

import (
	"cmp"
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
	a, b := newDeck(s), newDeck(base)
	n := len(s.raw)
	if !paired {
		n += len(base.raw)
	}
	lo, hi = bootstrap(s.seed, n, func(drawn []int) float64 {
		for i := range s.raw {
			a.draw(drawn[i] % len(s.raw))
			if paired {
				b.draw(partner[drawn[i]])
			}
		}
		if !paired {
			for i := range base.raw {
				b.draw(drawn[len(s.raw)+i] % len(base.raw))
			}
		}
		return a.center() / b.center()
	})
	return lo, hi, true
}

// deck is a sample from which as many values are drawn as it has. Their median is found by counting, in
// linear time: sorting each draw would take most of a report's time.
type deck struct {
	raw, sorted []float64
	rank        []int // of each raw value among the sorted ones
	times       []int // how often each of the sorted ones was drawn
	mean        bool
	drawn       []float64 // for a mean
}

func newDeck(s sample) *deck {
	d := &deck{raw: s.raw, mean: s.mean, rank: make([]int, len(s.raw)), times: make([]int, len(s.raw))}
	order := make([]int, len(s.raw))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(s.raw[i], s.raw[j]) })
	for rank, i := range order {
		d.rank[i] = rank
		d.sorted = append(d.sorted, s.raw[i])
	}
	return d
}

func (d *deck) draw(i int) {
	if d.mean {
		d.drawn = append(d.drawn, d.raw[i])
	} else {
		d.times[d.rank[i]]++
	}
}

// center returns the median, or the mean, of what was drawn, and puts it back.
func (d *deck) center() float64 {
	if d.mean {
		defer func() { d.drawn = d.drawn[:0] }()
		return stat.Mean(d.drawn, nil)
	}
	defer clear(d.times)
	n, at, drawn := len(d.sorted), -1, 0
	next := func(below int) float64 { // the value of which so many of those drawn are below
		for drawn <= below {
			at++
			drawn += d.times[at]
		}
		return d.sorted[at]
	}
	low := next((n - 1) / 2)
	if n%2 == 1 {
		return low
	}
	return (low + next(n/2)) / 2
}
