package order

import (
	"fmt"
	"math"
	"slices"

	"queens/encode"
)

// force is the order of Aloul, Markov and Sakallah, FORCE: a fast and
// easy-to-implement variable-ordering heuristic (GLSVLSI 2003): each constraint
// pulls its variables towards its centre of gravity, repeatedly, for as long as
// the total span of the constraints falls. On a board row-major is a fixed point,
// so there only a random start leads anywhere else.
func force(suffix, from string, start func(encode.Problem) Order) Named {
	return Named{
		Name:      "force" + suffix,
		Reason:    "FORCE from " + from + ": constraints pull their variables together until the total span stops falling",
		variables: func(p encode.Problem) Order { return settled(p, start(p)) },
	}
}

// forceFrom is FORCE from random:SEED.
func forceFrom(seed uint64) Named {
	return force(fmt.Sprintf(":%d", seed), "a random start", random(seed).variables)
}

// settled iterates FORCE from an order until the span stops falling.
func settled(p encode.Problem, o Order) Order {
	g := wholeGraph(p)
	sequence, next := []int32(nil), make([]int32, len(o))
	for i, v := range o {
		next[i] = int32(v - 1)
	}
	for span := math.MaxInt; ; {
		g.lay(next)
		reached := g.span()
		if reached >= span {
			return g.order(p, sequence)
		}
		sequence, span = next, reached
		next = g.pulled()
	}
}

// pull is a variable and the mean of its constraints' centres.
type pull struct {
	centre float64
	v      int32
}

// pulled returns what one round of FORCE makes of the sequence that was laid.
func (g *graph) pulled() []int32 {
	for v, count := range g.count {
		if g.centres[v] = 0; count == 0 { // in no constraint: it stays
			g.centres[v] = float64(g.at[v])
		}
	}
	for i, edge := range g.edges {
		centre := float64(g.laid[i].sum) / float64(len(edge))
		for _, v := range edge {
			g.centres[v] += centre
		}
	}
	// Only additions and divisions: no machine may fuse them, so ties, and
	// with them the order, are the same everywhere. Sorted by the whole part first.
	clear(g.starts)
	for v, count := range g.count {
		g.centres[v] /= float64(max(count, 1))
		g.starts[int(g.centres[v])+1]++
	}
	for i := range g.count {
		g.starts[i+1] += g.starts[i]
	}
	for v, centre := range g.centres {
		at := &g.starts[int(centre)]
		g.pulls[*at] = pull{centre, int32(v)}
		*at++
	}
	from := int32(0)
	for _, to := range g.starts[:len(g.count)] {
		if to-from > 1 {
			slices.SortFunc(g.pulls[from:to], func(a, b pull) int {
				if a.centre < b.centre || a.centre == b.centre && a.v < b.v {
					return -1
				}
				return 1
			})
		}
		from = to
	}
	next := make([]int32, len(g.pulls))
	for i, p := range g.pulls {
		next[i] = p.v
	}
	return next
}

// span returns the sum, over the constraints, of the distance between the first and the last
// place in each.
func (g *graph) span() int {
	total := 0
	for _, of := range g.laid {
		total += int(of.last - of.first)
	}
	return total
}
