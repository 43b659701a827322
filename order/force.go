package order

import (
	"context"
	"fmt"
	"math"
	"slices"

	"queens/encode"
)

// force is the order FORCE of Aloul, Markov and Sakallah (FORCE: a fast and easy-to-implement
// variable-ordering heuristic, GLSVLSI 2003). Each constraint pulls its variables towards its centre of
// gravity, repeatedly, for as long as the total span of the constraints falls. On a board, row-major is
// a fixed point, so there only a random start leads to another order.
func force(suffix, from string, start Named) Named {
	return Named{
		Name:   "force" + suffix,
		Reason: "FORCE from " + from + ": constraints pull their variables together until the total span stops falling",
		variables: func(ctx context.Context, p encode.Problem) (Order, error) {
			o, err := start.variables(ctx, p)
			if err != nil {
				return nil, err
			}
			return settled(ctx, p, o)
		},
	}
}

// forceFrom is FORCE from random:SEED.
func forceFrom(seed uint64) Named {
	return force(fmt.Sprintf(":%d", seed), "a random start", random(seed))
}

// settled iterates FORCE from an order until the span stops falling.
func settled(ctx context.Context, p encode.Problem, o Order) (Order, error) {
	g := newForcing(wholeGraph(p))
	sequence, next := []int32(nil), make([]int32, len(o))
	for i, v := range o {
		next[i] = int32(v - 1)
	}
	for span := math.MaxInt; ; {
		g.lay(next)
		reached := g.span()
		if reached >= span {
			return g.order(p, sequence), nil
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		sequence, span = next, reached
		next = g.pulled()
	}
}

// pull is a variable and the mean of the centres of its constraints.
type pull struct {
	centre float64
	v      int32
}

// forcing is a graph with scratch memory for a round of FORCE.
type forcing struct {
	*graph
	centres []float64
	pulls   []pull
	starts  []int32
}

func newForcing(g *graph) *forcing {
	n := len(g.vars)
	return &forcing{graph: g, centres: make([]float64, n), pulls: make([]pull, n), starts: make([]int32, n+1)}
}

// pulled returns the sequence after one round of FORCE from the sequence last laid.
func (f *forcing) pulled() []int32 {
	for v, count := range f.count {
		if f.centres[v] = 0; count == 0 { // in no constraint: it stays
			f.centres[v] = float64(f.at[v])
		}
	}
	for i, edge := range f.edges {
		centre := float64(f.laid[i].sum) / float64(len(edge))
		for _, v := range edge {
			f.centres[v] += centre
		}
	}
	// This uses only additions and divisions, which no machine may fuse. So ties, and with them the
	// order, are the same everywhere. Sort by the whole part first.
	clear(f.starts)
	for v, count := range f.count {
		f.centres[v] /= float64(max(count, 1))
		f.starts[int(f.centres[v])+1]++
	}
	for i := range f.count {
		f.starts[i+1] += f.starts[i]
	}
	for v, centre := range f.centres {
		at := &f.starts[int(centre)]
		f.pulls[*at] = pull{centre, int32(v)}
		*at++
	}
	from := int32(0)
	for _, to := range f.starts[:len(f.count)] {
		if to-from > 1 {
			slices.SortFunc(f.pulls[from:to], func(a, b pull) int {
				if a.centre < b.centre || a.centre == b.centre && a.v < b.v {
					return -1
				}
				return 1
			})
		}
		from = to
	}
	next := make([]int32, len(f.pulls))
	for i, p := range f.pulls {
		next[i] = p.v
	}
	return next
}
