package optimize

import (
	"math/rand/v2"
	"slices"

	"queens/encode/cnf"
	"queens/order"
	"queens/robdd"
)

// annealer changes one order at a time. Its only move is sifting with a temperature. It takes a variable
// out, computes the costs of all places to put it back in one and a half sweeps, and samples a place.
// One node more (or fewer, if the largest diagram is wanted) makes a place T/(T+1) times as likely. At T
// = 0 this is the sifting of Rudell (ICCAD 1993). At any T no move is rejected, so no sweep is wasted.
// Between moves it keeps only scratch space.
type annealer struct {
	sizer   *Sizer
	diagram robdd.Kind

	// Scratch space for a move of variable x; others is the order without x.
	others order.Order
	before []int     // cost of each of the others while x is below it
	after  []int     // the same while x is above it
	own    []int     // by place of x: cost of x
	costs  []int     // by place of x: the cost of the whole diagram
	weight []float64 // at k: (T/(T+1))^k, the weight of a place that costs k nodes more than the best

	sign int // the cost of a level is its nodes times this: 1, or -1 to look for the largest diagram
}

// state is an order with the costs of its levels.
type state struct {
	order order.Order
	level []int
	cost  int // their sum
}

func (st *state) clone() *state {
	return &state{slices.Clone(st.order), slices.Clone(st.level), st.cost}
}

func newAnnealer(s *Sizer, d robdd.Kind, largest bool) *annealer {
	n := len(s.key)
	a := &annealer{
		sizer: s.clone(), diagram: d, sign: 1,
		others: make(order.Order, 0, n),
		before: make([]int, n), after: make([]int, n), own: make([]int, n), costs: make([]int, n),
	}
	if largest {
		a.sign = -1
	}
	return a
}

// measure computes the state of an order.
func (a *annealer) measure(o order.Order) *state {
	st := &state{order: slices.Clone(o), level: make([]int, len(o))}
	a.sizer.start()
	for i, v := range o {
		st.level[i] = a.next(v)
		st.cost += st.level[i]
	}
	return st
}

// next moves the sweep below variable v and returns the cost of v's level.
func (a *annealer) next(v cnf.Var) int {
	width := a.sizer.live
	nodes := a.sizer.descend(v)
	if a.diagram == robdd.BDD {
		nodes = width
	}
	return a.sign * nodes
}

// heat computes the weights for a temperature. At zero only the best places are sampled.
func (a *annealer) heat(t float64) {
	a.weight = a.weight[:0]
	for w, ratio := 1.0, t/(t+1); w > 1e-9; w *= ratio {
		a.weight = append(a.weight, w)
	}
}

// move takes x out of the order and puts it back at a place sampled according to the
// costs. It computes the costs of as many orders as there are variables.
func (a *annealer) move(rng *rand.Rand, st *state, x cnf.Var) {
	s := a.sizer
	from := slices.Index(st.order, x)
	a.others = append(append(a.others[:0], st.order[:from]...), st.order[from+1:]...)
	last := len(a.others)

	s.start()
	for i, v := range a.others {
		a.own[i] = a.sign * s.here(a.diagram, x)
		a.before[i] = a.next(v)
	}
	a.own[last] = a.sign * s.here(a.diagram, x)

	// Below the old place of x, the levels are those of the current order.
	s.start()
	s.descend(x)
	for i, v := range a.others[:from] {
		a.after[i] = a.next(v)
	}
	copy(a.after[from:last], st.level[from+1:])

	above, below := 0, 0
	for _, cost := range a.after[:last] {
		below += cost
	}
	for place := range a.costs {
		a.costs[place] = above + a.own[place] + below
		if place < last {
			above += a.before[place]
			below -= a.after[place]
		}
	}

	to := a.sample(rng)
	st.order = append(append(append(st.order[:0], a.others[:to]...), x), a.others[to:]...)
	copy(st.level, a.before[:to])
	st.level[to] = a.own[to]
	copy(st.level[to+1:], a.after[to:last])
	st.cost = a.costs[to]
}

// sample returns a place with probability proportional to its weight.
func (a *annealer) sample(rng *rand.Rand) int {
	least := slices.Min(a.costs)
	sum := 0.0
	for _, cost := range a.costs {
		if k := cost - least; k < len(a.weight) {
			sum += a.weight[k]
		}
	}
	target := rng.Float64() * sum
	place := 0
	for i, cost := range a.costs {
		if k := cost - least; k < len(a.weight) {
			place = i
			if target -= a.weight[k]; target < 0 {
				break
			}
		}
	}
	return place
}
