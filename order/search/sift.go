package search

import (
	"context"
	"math/rand/v2"
	"slices"

	"queens/order"
)

// Sift returns the order that sifting makes of another, and its nodes: each
// variable in turn goes to the place where the diagram is smallest, until a pass
// over all variables gains nothing (Rudell, Dynamic variable ordering for ordered
// binary decision diagrams, ICCAD 1993, with all places tried and no growth
// bound). The sequence of the variables, and the place when several are best, are
// drawn with the seed.
func Sift(ctx context.Context, s *Sizer, d Diagram, start order.Order, seed uint64) (order.Order, int, error) {
	a := newAnnealer(s.clone(), d, rand.New(rand.NewPCG(seed, 0)))
	st := a.measure(start)
	a.heat(0)
	for {
		before := st.nodes
		for _, x := range a.shuffle() {
			if err := ctx.Err(); err != nil {
				return nil, 0, err
			}
			a.move(st, x)
		}
		if st.nodes == before {
			return slices.Clone(st.order), st.nodes, nil
		}
	}
}
