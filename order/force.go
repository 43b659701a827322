package order

import (
	"cmp"
	"fmt"
	"slices"

	"queens/encode"
	"queens/encode/cnf"
)

// force is the order of Aloul, Markov and Sakallah, FORCE: a fast and
// easy-to-implement variable-ordering heuristic (GLSVLSI 2003): each constraint
// pulls its variables towards its centre of gravity, repeatedly, for as long as
// the total span of the constraints falls. It starts from random:SEED rather
// than row-major, since row-major is a fixed point.
func force(seed uint64) Named {
	return Named{
		Name: fmt.Sprintf("force:%d", seed),
		Reason: "FORCE from a random start: constraints pull their variables together " +
			"until the total span stops falling",
		variables: func(p encode.Problem) Order {
			return pull(p, random(seed).variables(p))
		},
	}
}

// pull iterates FORCE from an order until the span stops falling.
func pull(p encode.Problem, o Order) Order {
	levels := o.Levels()
	sum := make([]float64, len(o)) // by variable: the sum of its constraints' centres
	count := make([]float64, len(o))
	for _, c := range p.Constraints {
		for _, l := range c.Lits {
			count[l.Var()-1]++
		}
	}
	for {
		clear(sum)
		for v, level := range levels {
			if count[v] == 0 { // in no constraint: it stays
				sum[v] = float64(level)
			}
		}
		for _, c := range p.Constraints {
			total := 0
			for _, l := range c.Lits {
				total += levels[l.Var()-1]
			}
			for _, l := range c.Lits {
				sum[l.Var()-1] += float64(total) / float64(len(c.Lits))
			}
		}
		// Only additions and divisions: no machine may fuse them, so ties, and
		// with them the order, are the same everywhere.
		next := slices.Clone(o)
		slices.SortFunc(next, func(a, b cnf.Var) int {
			return cmp.Or(cmp.Compare(sum[a-1]/max(count[a-1], 1), sum[b-1]/max(count[b-1], 1)), cmp.Compare(a, b))
		})
		nextLevels := next.Levels()
		if span(p, nextLevels) >= span(p, levels) {
			return o
		}
		o, levels = next, nextLevels
	}
}

// span returns the sum, over the constraints, of the distance between the
// highest and the lowest level in each.
func span(p encode.Problem, levels []int) int {
	total := 0
	for _, c := range p.Constraints {
		low, high := len(levels), 0
		for _, l := range c.Lits {
			level := levels[l.Var()-1]
			low, high = min(low, level), max(high, level)
		}
		total += high - low
	}
	return total
}
