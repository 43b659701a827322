package search

import (
	"context"
	"math/rand/v2"
	"slices"

	"queens/backends/diagram"
	"queens/encode/cnf"
	"queens/order"
)

// annealer moves one order at a time. Its only move is sifting with a temperature: a
// variable is taken out, the sizes for all places to put it back are computed in one
// and a half sweeps, and a place is drawn at random. One node more (or fewer, if the
// largest diagram is wanted) makes a place T/(T+1) times as likely. At T = 0 this is
// the sifting of Rudell (ICCAD 1993); at any T no move is rejected, so no sweep is
// wasted. Between moves it keeps nothing but scratch space.
type annealer struct {
	sizer   *Sizer
	diagram diagram.Kind
	largest bool // whether more nodes are better

	// Scratch space for a move of x; others is the order without x.
	others order.Order
	before []int     // nodes of each of the others while x is below it
	after  []int     // the same while x is above it
	own    []int     // by place of x: nodes of x
	sizes  []int     // by place of x: the whole diagram
	weight []float64 // (T/(T+1))^k for a place k nodes from the best
}

// state is an order with the sizes of its levels.
type state struct {
	order order.Order
	level []int // nodes of each level
	nodes int   // their sum
}

func (st *state) clone() *state {
	return &state{slices.Clone(st.order), slices.Clone(st.level), st.nodes}
}

func newAnnealer(s *Sizer, d diagram.Kind, largest bool) *annealer {
	n := s.NumVars()
	return &annealer{
		sizer: s, diagram: d, largest: largest,
		others: make(order.Order, 0, n),
		before: make([]int, n), after: make([]int, n), own: make([]int, n), sizes: make([]int, n),
	}
}

// better reports whether one number of nodes is preferable to another.
func (a *annealer) better(nodes, other int) bool {
	if a.largest {
		return nodes > other
	}
	return nodes < other
}

// slowLevel is the number of solutions from which a level takes so long that a
// sweep checks the context between levels.
const slowLevel = 1 << 10

// ended returns the context's error, and checks for it only where levels are
// slow.
func (a *annealer) ended(ctx context.Context) error {
	if a.sizer.NumSolutions() < slowLevel {
		return nil
	}
	return ctx.Err()
}

// measure computes the state of an order.
func (a *annealer) measure(ctx context.Context, o order.Order) (*state, error) {
	st := &state{order: slices.Clone(o), level: make([]int, len(o))}
	a.sizer.start()
	for i, v := range o {
		if err := a.ended(ctx); err != nil {
			return nil, err
		}
		st.level[i] = a.sizer.next(a.diagram, v)
		st.nodes += st.level[i]
	}
	return st, nil
}

// heat fills the weights for a temperature. Zero means that only the best
// places are drawn.
func (a *annealer) heat(t float64) {
	a.weight = a.weight[:0]
	for w, ratio := 1.0, t/(t+1); w > 1e-9; w *= ratio {
		a.weight = append(a.weight, w)
	}
}

// move takes x out of the order and puts it back at a place drawn according to the
// sizes. It computes the sizes of as many orders as there are variables. If the
// context ends, move returns its error and leaves the order as it was.
func (a *annealer) move(ctx context.Context, rng *rand.Rand, st *state, x cnf.Var) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s, d := a.sizer, a.diagram
	from := slices.Index(st.order, x)
	a.others = append(append(a.others[:0], st.order[:from]...), st.order[from+1:]...)
	last := len(a.others)

	s.start()
	for i, v := range a.others {
		if err := a.ended(ctx); err != nil {
			return err
		}
		a.own[i] = s.here(d, x)
		a.before[i] = s.next(d, v)
	}
	a.own[last] = s.here(d, x)

	// The levels below the old place of x are those of the current order.
	s.start()
	s.descend(x)
	for i, v := range a.others[:from] {
		if err := a.ended(ctx); err != nil {
			return err
		}
		a.after[i] = s.next(d, v)
	}
	copy(a.after[from:last], st.level[from+1:])

	above, below := 0, 0
	for _, nodes := range a.after[:last] {
		below += nodes
	}
	for place := range a.sizes {
		a.sizes[place] = above + a.own[place] + below
		if place < last {
			above += a.before[place]
			below -= a.after[place]
		}
	}

	to := a.draw(rng)
	st.order = append(append(append(st.order[:0], a.others[:to]...), x), a.others[to:]...)
	copy(st.level, a.before[:to])
	st.level[to] = a.own[to]
	copy(st.level[to+1:], a.after[to:last])
	st.nodes = a.sizes[to]
	return nil
}

// draw returns a place with probability proportional to its weight.
func (a *annealer) draw(rng *rand.Rand) int {
	best := a.sizes[0]
	for _, size := range a.sizes {
		if a.better(size, best) {
			best = size
		}
	}
	distance := func(size int) int { return max(size-best, best-size) }
	sum := 0.0
	for _, size := range a.sizes {
		if k := distance(size); k < len(a.weight) {
			sum += a.weight[k]
		}
	}
	target := rng.Float64() * sum
	place := 0
	for i, size := range a.sizes {
		if k := distance(size); k < len(a.weight) {
			place = i
			if target -= a.weight[k]; target < 0 {
				break
			}
		}
	}
	return place
}
