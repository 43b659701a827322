package search

import (
	"math/rand/v2"
	"slices"

	"queens/encode/cnf"
	"queens/order"
)

// annealer moves one order at a time. Its only move is sifting with a
// temperature: a variable is taken out, the sizes for all places it can go back
// to are computed in one and a half sweeps, and a place is drawn, one node more
// making a place T/(T+1) times as likely. At T = 0 this is the sifting of Rudell
// (ICCAD 1993); at any T no move is refused, so no sweep is wasted.
type annealer struct {
	sizer       *Sizer
	diagram     Diagram
	rng         *rand.Rand
	evaluations int64 // orders whose size became known

	// Scratch of a move of x. The others are the order without x.
	others order.Order
	before []int     // nodes of each of the others while x is below it
	after  []int     // the same while x is above it
	own    []int     // by place of x: nodes of x
	sizes  []int     // by place of x: the whole diagram
	weight []float64 // (T/(T+1))^k for k nodes more than the best place
	turn   []cnf.Var
}

// state is an order with what is known of it.
type state struct {
	order order.Order
	level []int // nodes of each level
	nodes int   // their sum
}

func newAnnealer(s *Sizer, d Diagram, rng *rand.Rand) *annealer {
	n := s.NumVars()
	return &annealer{
		sizer: s, diagram: d, rng: rng,
		others: make(order.Order, 0, n),
		before: make([]int, n), after: make([]int, n), own: make([]int, n), sizes: make([]int, n),
		turn: make([]cnf.Var, n),
	}
}

// measure computes the state of an order.
func (a *annealer) measure(o order.Order) *state {
	st := &state{order: slices.Clone(o), level: make([]int, len(o))}
	a.sizer.start()
	for i, v := range o {
		st.level[i] = a.sizer.next(a.diagram, v)
		st.nodes += st.level[i]
	}
	a.evaluations++
	return st
}

// shuffle draws the sequence in which a pass moves the variables.
func (a *annealer) shuffle() []cnf.Var {
	for i := range a.turn {
		a.turn[i] = cnf.Var(i + 1)
	}
	a.rng.Shuffle(len(a.turn), func(i, j int) { a.turn[i], a.turn[j] = a.turn[j], a.turn[i] })
	return a.turn
}

// heat fills the weights for a temperature. Zero means that only the best
// places are drawn.
func (a *annealer) heat(t float64) {
	a.weight = a.weight[:0]
	for w, ratio := 1.0, t/(t+1); w > 1e-9; w *= ratio {
		a.weight = append(a.weight, w)
	}
}

// move takes x out of the order and puts it back at a place drawn by the sizes.
func (a *annealer) move(st *state, x cnf.Var) {
	s, d := a.sizer, a.diagram
	from := slices.Index(st.order, x)
	a.others = append(append(a.others[:0], st.order[:from]...), st.order[from+1:]...)
	last := len(a.others)

	s.start()
	for i, v := range a.others {
		a.own[i] = s.here(d, x)
		a.before[i] = s.next(d, v)
	}
	a.own[last] = s.here(d, x)

	// Below where x was, the levels are known: they are the order's.
	s.start()
	s.descend(x)
	for i, v := range a.others[:from] {
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
	a.evaluations += int64(len(a.sizes))

	to := a.draw()
	st.order = append(append(append(st.order[:0], a.others[:to]...), x), a.others[to:]...)
	copy(st.level, a.before[:to])
	st.level[to] = a.own[to]
	copy(st.level[to+1:], a.after[to:last])
	st.nodes = a.sizes[to]
}

// draw returns a place with the probability of its weight.
func (a *annealer) draw() int {
	least := slices.Min(a.sizes)
	sum := 0.0
	for _, size := range a.sizes {
		if extra := size - least; extra < len(a.weight) {
			sum += a.weight[extra]
		}
	}
	target := a.rng.Float64() * sum
	place := 0
	for i, size := range a.sizes {
		if extra := size - least; extra < len(a.weight) {
			place = i
			if target -= a.weight[extra]; target < 0 {
				break
			}
		}
	}
	return place
}
