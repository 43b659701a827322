package stats_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/experiments/stats"
)

// sample returns a sample of values whose units are a, b, c and so on.
func sample(values ...float64) stats.Sample {
	var units []string
	for i := range values {
		units = append(units, string(rune('a'+i)))
	}
	return stats.New(values, units, 1)
}

// Two samples differ if the test says so and the ratio's interval leaves out 1; with three values a side nothing
// can be said.
func TestAgainst(t *testing.T) {
	for name, c := range map[string]struct {
		a, b         stats.Sample
		center       float64
		differs, few bool
	}{
		"three a side":        {sample(1, 1.1, 1.2), sample(10, 11, 12), 10, false, true},
		"four a side":         {sample(1, 1.1, 1.2, 1.3), sample(10, 11, 12, 13), 10, true, false},
		"two and ten":         {sample(1, 1.1), sample(many(10, 10)...), 13.81, true, false},
		"one and thirty":      {sample(1), sample(many(30, 10)...), 24.5, false, true},
		"alike":               {sample(1, 2, 3, 4, 5, 6), sample(1.1, 1.9, 3.1, 3.9, 5.1, 5.9), 1, false, false},
		"six a side, apart":   {sample(1, 1.1, 1.2, 1.3, 1.4, 1.5), sample(10, 11, 12, 13, 14, 15), 10, true, false},
		"pairs by a fiftieth": {sample(many(30, 100)...), sample(times102(many(30, 100))...), 1.02, true, false},
		"equal and constant":  {sample(2, 2, 2, 2), sample(2, 2, 2, 2), 1, false, false},
	} {
		r := c.b.Against(c.a)
		require.NotNil(t, r, name)
		assert.InDelta(t, c.center, r.Center, 0.01, name)
		assert.Equal(t, c.differs, r.Differs, name)
		assert.Equal(t, c.few, r.Few, name)
	}
	assert.Nil(t, sample().Against(sample(1)), "nothing to compare")
	assert.False(t, sample(1).Against(sample(0)).Known())
	capped := sample(many(9, 100)...)
	capped.Capped = 100
	above, below := capped.Against(sample(many(9, 10)...)), sample(many(9, 10)...).Against(capped)
	assert.True(t, above.Above && !above.Below && above.Differs && math.IsNaN(above.Lo), "a lower bound")
	assert.True(t, below.Below && !below.Above && below.Differs && math.IsNaN(below.Hi), "an upper bound")
	four, five := sample(4, 4), sample(5, 5)
	four.Exact, five.Exact = true, true
	assert.True(t, five.Against(four).Differs, "exact numbers need no test")
	assert.False(t, four.Against(four).Differs)
}

// Intervals of medians are those of the binomial distribution: the values of ranks r to s cover the median with the
// probability that r to s-1 of n coins show heads.
func TestSummary(t *testing.T) {
	assert.Nil(t, stats.Sample{}.Summary())
	for _, c := range []struct {
		n              int
		center, lo, hi float64
	}{
		{6, 3.5, 1, 6},    // .969 for the whole extent
		{8, 4.5, 1, 7},    // .961; from 2 to 7 it is .930
		{9, 5, 2, 8},      // .961
		{20, 10.5, 6, 15}, // .959
	} {
		assert.Equal(t, &stats.Estimate{Center: c.center, Lo: c.lo, Hi: c.hi}, sample(many(c.n, 1)...).Summary(), "%d values", c.n)
	}
	three := sample(3, 1, 8)
	sum := three.Summary()
	assert.Equal(t, 3.0, sum.Center)
	assert.True(t, math.IsNaN(sum.Lo), "too few for an interval")
	assert.Equal(t, &stats.Estimate{Center: 3, Lo: 1, Hi: 8}, three.Extent(sum))
	three.Capped = 8
	assert.Same(t, sum, three.Extent(sum), "the largest is a lower bound")
	assert.False(t, three.Limited(sum))
	three.Capped = 3
	assert.True(t, three.Limited(sum), "so is the median")

	// The interval of a mean is near that of the normal distribution: 2 standard errors, less a little.
	mean := sample(many(60, 1)...)
	mean.Mean = true
	sum = mean.Summary()
	assert.InDelta(t, 30.5, sum.Center, 1e-9)
	standard := math.Sqrt(60*60-1) / math.Sqrt(12) / math.Sqrt(60)
	assert.InDelta(t, 30.5-1.96*standard, sum.Lo, standard/3)
	assert.InDelta(t, 30.5+1.96*standard, sum.Hi, standard/3)
}

// The bootstrap's interval of a median is that of all medians of n values drawn with replacement, each equally likely.
// The ratio to a sample of ones is the median.
func TestBootstrapOfAMedian(t *testing.T) {
	one := stats.New([]float64{1, 1, 1, 1, 1, 1}, []string{"1", "2", "3", "4", "5", "6"}, 3)
	for _, n := range []int{6, 7} {
		var values []float64
		for i := range n {
			values = append(values, float64(1+i*i))
		}
		var medians []float64
		drawn, sorted := make([]int, n), make([]float64, n)
		for at := 0; at < n; {
			for i, d := range drawn {
				sorted[i] = values[d]
			}
			slices.Sort(sorted)
			medians = append(medians, (sorted[(n-1)/2]+sorted[n/2])/2)
			for at = 0; at < n; at++ { // the next draw, as an odometer
				if drawn[at]++; drawn[at] < n {
					break
				}
				drawn[at] = 0
			}
		}
		slices.Sort(medians)
		r := sample(values...).Against(one)
		for _, end := range []struct{ quantile, value float64 }{{0.025, r.Lo}, {0.975, r.Hi}} {
			// 1000 draws place a quantile to within .015.
			low, _ := slices.BinarySearch(medians, end.value)
			high, _ := slices.BinarySearch(medians, end.value+1e-9)
			all := float64(len(medians))
			assert.Less(t, float64(low)/all, end.quantile+0.015, "%d values: %g", n, end.value)
			assert.Greater(t, float64(high)/all, end.quantile-0.015, "%d values: %g", n, end.value)
		}
	}
	lo, hi := stats.Bootstrap(7, 10, func(r *rand.Rand) float64 { return r.Float64() })
	again, _ := stats.Bootstrap(7, 10, func(r *rand.Rand) float64 { return r.Float64() })
	assert.Equal(t, lo, again, "the seed decides")
	assert.InDelta(t, 0.025, lo, 0.02)
	assert.InDelta(t, 0.975, hi, 0.02)
}

// Published figures: Hollander and Wolfe's depression scale factors (Nonparametric Statistical Methods, 1973, page 29), of
// which R's wilcox.test gives V = 40 and P = 0.03906, or 20 of the 512 choices of signs. Shifted below 0, so that
// differences are ranked, not ratios. And two samples that do not overlap.
func TestPublishedTests(t *testing.T) {
	x := []float64{1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30}
	y := []float64{0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29}
	for i := range x {
		x[i], y[i] = x[i]-10, y[i]-10
	}
	assert.InDelta(t, 20.0/512, stats.SignedRank(x, y), 1e-12)
	p, least := sample(1, 2, 3, 4).Chance(sample(5, 6, 7, 8))
	assert.InDelta(t, 2.0/70, p, 1e-9)
	assert.InDelta(t, 2.0/70, least, 1e-9)
	p, least = sample(1, 2, 3, 4, 5, 6).Chance(sample(2, 3, 4, 5, 6, 7)) // paired
	assert.InDelta(t, 2.0/64, p, 1e-9)
	assert.InDelta(t, 2.0/64, least, 1e-9)
}

func times102(values []float64) []float64 {
	for i := range values {
		values[i] *= 1.02
	}
	return values
}

// many returns n values from a number on.
func many(n int, from float64) (values []float64) {
	for i := range n {
		values = append(values, from+float64(i))
	}
	return values
}

// P is computed over all choices of the signs: twice the share of those whose sum of ranks lies at least as
// far from the middle, on the same side.
func TestSignedRankOverAllSigns(t *testing.T) {
	const seed = 11
	random := rand.New(rand.NewPCG(seed, 0))
	for range 200 {
		n := 1 + random.IntN(9)
		a, b := make([]float64, n), make([]float64, n)
		for i := range a {
			a[i], b[i] = float64(random.IntN(6))-3, float64(random.IntN(6))-3
		}
		var differences []float64
		for i := range a {
			if d := a[i] - b[i]; a[i] > 0 && b[i] > 0 {
				differences = append(differences, math.Log(a[i]/b[i]))
			} else {
				differences = append(differences, d)
			}
		}
		rank := func(i int) (r float64) { // the rank of |differences[i]| among the nonzero ones
			for _, d := range differences {
				switch x, y := math.Abs(d), math.Abs(differences[i]); {
				case d == 0:
				case x < y:
					r++
				case x == y:
					r += 0.5
				}
			}
			return r + 0.5
		}
		observed, below, above := 0.0, 0, 0
		for i, d := range differences {
			if d > 0 {
				observed += rank(i)
			}
		}
		for signs := range 1 << n {
			sum := 0.0
			for i, d := range differences {
				if d != 0 && signs>>i&1 != 0 {
					sum += rank(i)
				}
			}
			if sum <= observed {
				below++
			}
			if sum >= observed {
				above++
			}
		}
		want := min(1, 2*float64(min(below, above))/float64(int(1)<<n))
		require.InDelta(t, want, stats.SignedRank(a, b), 1e-12, "seed %d: %v %v", seed, a, b)
	}
}

// Beyond a hundred pairs the normal distribution takes over without a jump.
func TestSignedRankOfManyPairs(t *testing.T) {
	const seed = 12
	random := rand.New(rand.NewPCG(seed, 0))
	for _, shift := range []float64{0, 0.1, 0.2} {
		a, b := make([]float64, 101), make([]float64, 101)
		for i := range a {
			a[i], b[i] = random.NormFloat64()+shift-100, random.NormFloat64()-100
		}
		assert.InDelta(t, stats.SignedRank(a[:100], b[:100]), stats.SignedRank(a, b), 0.1, "seed %d", seed)
	}
}

// Runs whose times vary widely by seed are compared pair by pair. That shows a difference of a tenth, which
// samples without pairs would hide.
func TestPairsAreComparedAsPairs(t *testing.T) {
	var costs, more []float64
	for i := range 10 {
		costs, more = append(costs, math.Pow(2, float64(i))), append(more, 1.1*math.Pow(2, float64(i)))
	}
	a, b := sample(costs...), sample(more...)
	r := b.Against(a)
	assert.True(t, r.Differs)
	assert.InDelta(t, 1.1, r.Center, 1e-9)
	for i := range b.Units {
		b.Units[i] += "'"
	}
	assert.False(t, b.Against(a).Differs)
}

// Means differ only if the exact test says so, not by the bootstrap's interval alone. Six pairs, one of them
// equal, have P = 2/2^5; six that all differ have P = 2/2^6.
func TestMeansAreTestedExactly(t *testing.T) {
	of := func(values ...float64) stats.Sample {
		s := sample(values...)
		s.Mean = true
		return s
	}
	base := of(1, 2, 3, 4, 5, 6)
	nearly := of(1, 2.5, 3.5, 4.5, 5.5, 6.5).Against(base)
	assert.Greater(t, nearly.Lo, 1.0)
	assert.False(t, nearly.Differs)
	assert.True(t, of(1.5, 2.5, 3.5, 4.5, 5.5, 6.5).Against(base).Differs)
}

// The share of intervals that contain the true ratio is about what they promise, and at least
// that if both samples have the same placements, which makes the intervals narrower.
func TestBootstrapCovers(t *testing.T) {
	t.Parallel()
	const seed, trials = 7, 300
	random := rand.New(rand.NewPCG(seed, 0))
	held, width := map[bool]int{}, map[bool]float64{}
	for range trials {
		for _, paired := range []bool{false, true} {
			var a, b stats.Sample
			for i := range 30 {
				of, other := random.NormFloat64(), random.NormFloat64() // how hard placements are
				if paired {
					other = of
				}
				a.Raw, a.Units = append(a.Raw, 3*math.Exp(of)*math.Exp(0.1*random.NormFloat64())), append(a.Units, fmt.Sprint(i))
				b.Raw, b.Units = append(b.Raw, math.Exp(other)), append(b.Units,
					fmt.Sprint(map[bool]int{true: i, false: i + 100}[paired]))
			}
			r := stats.New(a.Raw, a.Units, seed).Against(stats.New(b.Raw, b.Units, seed))
			width[paired] += math.Log(r.Hi / r.Lo)
			if r.Lo <= 3 && 3 <= r.Hi {
				held[paired]++
			}
		}
	}
	assert.InDelta(t, 0.95, float64(held[false])/trials, 0.04, "seed %d", seed)
	assert.GreaterOrEqual(t, float64(held[true])/trials, 0.93, "seed %d", seed)
	assert.Less(t, width[true], width[false]/2, "seed %d", seed)
}

// The interval of a ratio of samples of unequal size, in no order, contains the true ratio about as often as it promises.
func TestUnequalSamplesCover(t *testing.T) {
	t.Parallel()
	const seed, trials = 11, 600
	random := rand.New(rand.NewPCG(seed, 0))
	for _, sizes := range [][2]int{{6, 10}, {10, 31}} {
		held := 0
		for range trials {
			of := func(n int, factor float64) stats.Sample {
				var values []float64
				var units []string
				for i := range n {
					values = append(values, factor*math.Exp(random.NormFloat64()))
					units = append(units, fmt.Sprint(n, " ", i))
				}
				return stats.New(values, units, seed)
			}
			if r := of(sizes[0], 3).Against(of(sizes[1], 1)); r.Lo <= 3 && 3 <= r.Hi {
				held++
			}
		}
		assert.InDelta(t, 0.95, float64(held)/trials, 0.04, "sizes %v, seed %d", sizes, seed)
	}
}

// Costs that are easy to compute by hand: preparing 10 and 1, a query 1 and 2.
func TestBreakEven(t *testing.T) {
	for _, c := range []struct {
		a, b stats.Cost
		want float64
	}{
		{stats.Cost{First: 11, Later: 1}, stats.Cost{First: 3, Later: 2}, 9},
		{stats.Cost{First: 11, Later: 1}, stats.Cost{First: 1, Later: 1}, math.Inf(1)},
		{stats.Cost{First: 2, Later: 1}, stats.Cost{First: 3, Later: 1}, 1},
		{stats.Cost{First: 2, Later: 2}, stats.Cost{First: 7, Later: 1}, math.Inf(1)},
		{stats.Cost{First: 5, Later: 1}, stats.Cost{First: 2, Later: 2}, 4},
		{stats.Cost{First: 11, Later: 1}, stats.Cost{First: 2.5, Later: 2}, 10}, // even after 9.5
	} {
		k := stats.BreakEven(c.a, c.b)
		assert.Equal(t, c.want, k, "%+v", c)
		if !math.IsInf(k, 1) {
			assert.LessOrEqual(t, c.a.Total(k), c.b.Total(k))
		}
		if !math.IsInf(k, 1) && k > 1 {
			assert.Greater(t, c.a.Total(k-1), c.b.Total(k-1))
		}
	}
}

// Of two others, the better one counts; without others, or with other units, nothing is known.
func TestPays(t *testing.T) {
	of := func(build, query float64) (c stats.Costs) {
		for i := range 10 {
			c.Units, c.Runs = append(c.Units, fmt.Sprint(i)), append(c.Runs, stats.Cost{First: build + query, Later: query})
		}
		return c
	}
	assert.Equal(t, stats.Cost{First: 11, Later: 1}, of(10, 1).Mean())
	assert.Equal(t, &stats.Estimate{Center: 10, Lo: 10, Hi: 10}, stats.Pays(1, of(10, 1), []stats.Costs{of(0, 3), of(0, 2)}))
	assert.Equal(t, math.Inf(1), stats.Pays(1, of(10, 2), []stats.Costs{of(0, 2)}).Center)
	assert.Nil(t, stats.Pays(1, of(10, 1), nil))
	other := of(0, 2)
	other.Units[3] = "x"
	assert.Nil(t, stats.Pays(1, of(10, 1), []stats.Costs{other}))

	// Noise in what a query costs makes an interval around the middle.
	noisy := of(0, 2)
	for i := range noisy.Runs {
		noisy.Runs[i].Later += float64(i%5-2) / 5
	}
	k := stats.Pays(1, of(100, 1), []stats.Costs{noisy})
	assert.InDelta(t, 100, k.Center, 1)
	assert.Less(t, k.Lo, 95.0)
	assert.Greater(t, k.Hi, 105.0)
}

// The ratio that a comparison would find is found in about four of five trials, and is larger for fewer or noisier values.
func TestDetectable(t *testing.T) {
	t.Parallel()
	const seed, trials = 13, 300
	random := rand.New(rand.NewPCG(seed, 0))
	pair := func(n int, noise, ratio float64, paired bool) (a, b stats.Sample) {
		var x, y []float64
		var units, others []string
		for i := range n {
			y = append(y, math.Exp(noise*random.NormFloat64()))
			x = append(x, ratio*math.Exp(noise*random.NormFloat64()))
			units, others = append(units, fmt.Sprint(i)), append(others, fmt.Sprint(i+100))
		}
		if paired {
			others = units
		}
		return stats.New(x, units, seed), stats.New(y, others, seed)
	}
	middle := func(n int, noise float64, paired bool) float64 { // of several: each estimates the noise anew
		var list []float64
		for range 31 {
			a, b := pair(n, noise, 1, paired)
			list = append(list, a.Detectable(b))
		}
		slices.Sort(list)
		return list[len(list)/2]
	}
	for _, c := range []struct {
		n      int
		paired bool
	}{{6, true}, {12, true}, {12, false}} {
		if testing.Short() && c.n == 12 && c.paired {
			continue
		}
		ratio, found := middle(c.n, 0.2, c.paired), 0
		for range trials {
			a, b := pair(c.n, 0.2, ratio, c.paired)
			if p, _ := a.Chance(b); p < stats.Significant {
				found++
			}
		}
		assert.InDelta(t, 0.8, float64(found)/trials, 0.12, "%+v: a ratio of %g, seed %d", c, ratio, seed)
		assert.Greater(t, middle(c.n, 0.4, c.paired), ratio, "noisier, seed %d", seed)
		assert.Less(t, middle(4*c.n, 0.2, c.paired), ratio, "more, seed %d", seed)
	}
	three, _ := pair(3, 0.2, 1, true)
	assert.True(t, math.IsNaN(three.Detectable(three)), "too few")
}

// The geometric mean of 1, 2, 4, 8 is the root of 8. Student's t at 97.5% with 3 degrees of freedom is 3.182446, from tables.
func TestOverall(t *testing.T) {
	mean, p := stats.Overall([]float64{1, 2, 4, 8})
	within := math.Exp(3.182446 * math.Ln2 * math.Sqrt(5.0/3) / 2)
	assert.InDelta(t, math.Sqrt(8), mean.Center, 1e-9)
	assert.InDelta(t, math.Sqrt(8)/within, mean.Lo, 1e-5)
	assert.InDelta(t, math.Sqrt(8)*within, mean.Hi, 1e-4)
	assert.InDelta(t, .25, p, 1e-9, "three pairs of one sign")
	mean, p = stats.Overall([]float64{2, 1.5, 3, 1.1, 1.2, 4})
	assert.Less(t, p, stats.Significant)
	assert.Greater(t, mean.Lo, 1.0)
	alone, p := stats.Overall([]float64{3})
	assert.InDelta(t, 3, alone.Center, 1e-12)
	assert.True(t, math.IsNaN(alone.Lo))
	assert.InDelta(t, 1, p, 1e-12)
}
