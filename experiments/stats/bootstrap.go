package stats

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Resamples is the number of samples that the bootstrap draws.
const Resamples = 1000

// Bootstrap returns the percentile interval of a statistic (Efron 1979): the range of its values over samples
// drawn with replacement, without the outermost values. The statistic draws its samples itself, and may be
// infinite. Equal seeds and sizes n give equal intervals.
func Bootstrap(seed uint64, n int, statistic func(*rand.Rand) float64) (lo, hi float64) {
	random := rand.New(rand.NewPCG(seed, uint64(n)))
	values := make([]float64, Resamples)
	for i := range values {
		values[i] = statistic(random)
	}
	slices.Sort(values)
	outside := int(math.Round(Resamples * (1 - Confidence) / 2))
	return values[outside], values[Resamples-1-outside]
}

// places lists the places of a sample of n values.
func places(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// resample fills places with indices of a sample of the same size, drawn with replacement.
func resample(random *rand.Rand, places []int) {
	for i := range places {
		places[i] = random.IntN(len(places))
	}
}

// drawn returns the median, or the mean, of a sample of the same size, drawn with replacement.
func (s Sample) drawn(random *rand.Rand) float64 {
	if s.Mean {
		return drawnMean(random, s.Sorted)
	}
	return drawnMedian(random, s.Sorted)
}

// drawnMean returns the mean of a sample of the same size, drawn with replacement.
func drawnMean(random *rand.Rand, values []float64) float64 {
	sum := 0.0
	for range values {
		sum += values[random.IntN(len(values))]
	}
	return sum / float64(len(values))
}

// drawnMedian returns the median of a sample of the same size, drawn with replacement. It draws only the
// middle values. Drawing n values means drawing n uniform numbers and taking the values at these places. The
// m-th smallest number has the beta distribution with m and n+1-m, and the next one is the smallest of those
// above it (David and Nagaraja, Order Statistics, 2003, sections 2.2 and 2.5).
func drawnMedian(random *rand.Rand, sorted []float64) float64 {
	n := len(sorted)
	m := (n + 1) / 2
	place := func(uniform float64) float64 { return sorted[min(int(uniform*float64(n)), n-1)] }
	low := distuv.Beta{Alpha: float64(m), Beta: float64(n + 1 - m), Src: random}.Rand()
	if n%2 == 1 {
		return place(low)
	}
	high := 1 - (1-low)*math.Pow(random.Float64(), 1/float64(n-m))
	return (place(low) + place(high)) / 2
}

// deck is a sample from which values are drawn with replacement, as many as it has. It finds their median by
// counting, in linear time: sorting each draw would take most of a report's time.
type deck struct {
	raw, sorted []float64
	rank        []int // rank of each raw value in sorted
	times       []int // how often each sorted value was drawn
	mean        bool
	drawn       []float64 // the drawn values, if mean is set
}

func newDeck(of Sample) *deck {
	values, order := of.Raw, places(len(of.Raw))
	d := &deck{raw: values, mean: of.Mean, rank: make([]int, len(values)), times: make([]int, len(values))}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(values[i], values[j]) })
	for rank, i := range order {
		d.rank[i] = rank
		d.sorted = append(d.sorted, values[i])
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

// center returns the median, or the mean, of the drawn values, and empties the draw.
func (d *deck) center() float64 {
	if d.mean {
		defer func() { d.drawn = d.drawn[:0] }()
		return stat.Mean(d.drawn, nil)
	}
	defer clear(d.times)
	n, at, drawn := len(d.sorted), -1, 0
	next := func(k int) float64 { // the smallest value with more than k draws at or below it
		for drawn <= k {
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
