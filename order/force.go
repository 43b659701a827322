package order

import (
	"fmt"
	"slices"

	"queens/encode"
)

// force is the order of Aloul, Markov and Sakallah, FORCE: a fast and
// easy-to-implement variable-ordering heuristic (GLSVLSI 2003): each constraint
// pulls its variables towards its centre of gravity, repeatedly, for as long as
// the total span of the constraints falls. On a board row-major is a fixed point,
// so there only a random start leads anywhere else.
var force = Named{
	Name:      "force",
	Reason:    "FORCE from natural: constraints pull their variables together until the total span stops falling",
	variables: func(p encode.Problem) Order { return pull(p, ByNumber(p)) },
}

// forceFrom is FORCE from random:SEED.
func forceFrom(seed uint64) Named {
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
	g := wholeGraph(p)
	sequence := make([]int32, len(o))
	for i, v := range o {
		sequence[i] = int32(v - 1)
	}
	for {
		next := g.pulled(sequence)
		if g.span(next) >= g.span(sequence) {
			return g.order(p, sequence)
		}
		sequence = next
	}
}

// pulled returns the sequence after one round of FORCE.
func (g *graph) pulled(sequence []int32) []int32 {
	at := places(sequence)
	centres := make([]float64, len(at)) // by variable: the sum of its constraints' centres
	for v, count := range g.count {
		if count == 0 { // in no constraint: it stays
			centres[v] = float64(at[v])
		}
	}
	for _, edge := range g.edges {
		total := 0
		for _, v := range edge {
			total += int(at[v])
		}
		centre := float64(total) / float64(len(edge))
		for _, v := range edge {
			centres[v] += centre
		}
	}
	// Only additions and divisions: no machine may fuse them, so ties, and
	// with them the order, are the same everywhere.
	for v, count := range g.count {
		centres[v] /= float64(max(count, 1))
	}
	type pull struct {
		centre float64
		v      int32
	}
	pulls := make([]pull, len(sequence)) // sorted without looking anything up
	for i, v := range sequence {
		pulls[i] = pull{centres[v], v}
	}
	slices.SortFunc(pulls, func(a, b pull) int {
		switch {
		case a.centre < b.centre || a.centre == b.centre && a.v < b.v:
			return -1
		case a.centre == b.centre && a.v == b.v:
			return 0
		}
		return 1
	})
	next := make([]int32, len(pulls))
	for i, p := range pulls {
		next[i] = p.v
	}
	return next
}

// span returns the sum, over the constraints, of the distance between the first and the last
// place in each.
func (g *graph) span(sequence []int32) int {
	at, total := places(sequence), 0
	for _, edge := range g.edges {
		first, last := int32(len(at)), int32(0)
		for _, v := range edge {
			first, last = min(first, at[v]), max(last, at[v])
		}
		total += int(last - first)
	}
	return total
}
