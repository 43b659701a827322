package stats

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Cost is the cost of one way of answering: First until the first answer, preparation included, and Later for
// each later answer.
type Cost struct{ First, Later float64 }

// Total returns the cost of a number of queries.
func (c Cost) Total(queries float64) float64 { return c.First + (queries-1)*c.Later }

// BreakEven returns the number of queries from which on a costs no more than b: 1 if at once, +Inf if never.
func BreakEven(a, b Cost) float64 {
	switch {
	case a.First <= b.First && a.Later <= b.Later:
		return 1
	case a.First <= b.First || a.Later >= b.Later: // a loses its initial advantage, or gains nothing later
		return math.Inf(1)
	}
	return math.Ceil((a.First - a.Later - (b.First - b.Later)) / (b.Later - a.Later))
}

// Costs are the costs of one way of answering in several runs, each with its unit. The cost of many queries is a
// sum, so runs are summarised by means, not by medians.
type Costs struct {
	Units []string
	Runs  []Cost
}

// Mean returns the mean cost of all runs.
func (c Costs) Mean() Cost { return c.mean(places(len(c.Runs))) }

// Totals returns the costs of a number of queries, run by run, to be summarised by their mean.
func (c Costs) Totals(queries float64, seed uint64) Sample {
	totals := make([]float64, len(c.Runs))
	for i, r := range c.Runs {
		totals[i] = r.Total(queries)
	}
	s := New(totals, c.Units, seed)
	s.Mean = true
	return s
}

func (c Costs) mean(drawn []int) (m Cost) {
	for _, i := range drawn {
		m.First, m.Later = m.First+c.Runs[i].First, m.Later+c.Runs[i].Later
	}
	n := float64(len(drawn))
	return Cost{m.First / n, m.Later / n}
}

// Pays returns the number of queries after which building has paid off, +Inf for never, with its interval if
// there are enough runs. The builder must beat all the others; each draw of the bootstrap takes the same units
// from all of them. Pays returns nil, for not known, if there is nothing to compare, or if the units differ.
func Pays(seed uint64, builder Costs, others []Costs) *Estimate {
	n := len(builder.Runs)
	differ := func(o Costs) bool { return !slices.Equal(o.Units, builder.Units) }
	if n == 0 || len(others) == 0 || slices.ContainsFunc(others, differ) {
		return nil
	}
	against := func(drawn []int) float64 {
		k := 1.0
		for _, o := range others {
			k = max(k, BreakEven(builder.mean(drawn), o.mean(drawn)))
		}
		return k
	}
	e := Exactly(against(places(n)))
	if n >= Enough {
		drawn := make([]int, n)
		e.Lo, e.Hi = Bootstrap(seed, n, func(random *rand.Rand) float64 {
			resample(random, drawn)
			return against(drawn)
		})
	}
	return e
}
