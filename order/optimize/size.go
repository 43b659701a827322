package optimize

import (
	"fmt"
	"iter"

	"queens/encode/cnf"
	"queens/order"
	"queens/robdd"
)

// Sizes are the internal nodes of a function's reduced diagrams under one
// order, terminals not counted and without complement edges.
type Sizes struct {
	BDD int `json:"bdd"`
	ZDD int `json:"zdd"`
}

// Of returns the size of one kind of diagram.
func (s Sizes) Of(d robdd.Kind) int {
	if d == robdd.ZDD {
		return s.ZDD
	}
	return s.BDD
}

// Sizer computes the diagram sizes of one set of solutions under any order,
// without building a diagram. All solutions have the same number of queens,
// which makes it fast.
//
// Once the variables above a level are decided, one of the function's cofactors is left: a set of rests,
// where a rest is the part of a solution below. All rests of a cofactor have the same number of queens,
// so the low and high child of a non-empty cofactor always differ, and the ROBDD has exactly one node on
// a level for each distinct non-empty cofactor. So the width of the level depends only on which
// variables are above, not on their sequence. The ZDD has a node for each distinct cofactor in which
// some rest contains the level's variable.
//
// A sweep goes down the order and keeps track of the distinct cofactors. When it passes a variable, only
// the rests with a queen there change: each cofactor that has such rests is split in two, and a part
// equal to another cofactor is dropped, since it will stay equal. Cofactors are compared by a 64-bit sum
// over hashed rests. With k cofactors, the probability that two different ones have the same sum is
// about k*k/2^65, below 10^-12 for the largest boards in use. So an engine recomputes the size of every
// order claimed to be good.
//
// Only one goroutine at a time may use a Sizer.
type Sizer struct {
	holds [][]int32 // by variable: the solutions in which it is true
	key   []uint64  // by variable
	whole []uint64  // by solution: exclusive or of its queens' keys

	// The state of a sweep. A solution belongs to a group: the cofactor reached
	// by the solution's values above. Solutions of a dropped group keep its
	// number; the group's size is then 0.
	rest   []uint64 // by solution: exclusive or of the keys of its queens below the sweep
	mixed  []uint64 // by solution: hash of rest
	group  []int32  // by solution
	groups []group
	live   int     // groups that are neither empty nor dropped
	split  []int32 // groups split by the current variable
	query  int32   // the number of the last call of through: -1, -2 and so on
	// Maps a value to a group. An entry is valid only while its group still has that value: groups
	// change, but entries are not removed.
	table table
}

type group struct {
	value uint64 // sum of mixed over its solutions, which identifies the cofactor
	size  int32  // number of its solutions; 0 when it is empty or was dropped
	high  int32  // the group to which its solutions with the variable last went, or the last query
}

// NewSizer returns the Sizer of the listed solutions over variables 1..vars. Each solution is a model.
// Only its true variables matter; all solutions must have the same number of them, and no two
// may be equal. It takes a millisecond for a board of n = 8, a tenth of a second for 12, and seconds and
// a gigabyte for 14. It returns the first error of the list.
func NewSizer(vars int, solutions iter.Seq2[[]cnf.Lit, error]) (*Sizer, error) {
	s := &Sizer{holds: make([][]int32, vars), key: make([]uint64, vars)}
	for v := range s.key {
		s.key[v] = mix(uint64(v+1) * 0x9e3779b97f4a7c15)
	}
	for model, err := range solutions {
		if err != nil {
			return nil, fmt.Errorf("listing the solutions of an order's diagram: %w", err)
		}
		i, whole := int32(len(s.whole)), uint64(0)
		for _, l := range model {
			if l.Positive() {
				s.holds[l-1] = append(s.holds[l-1], i)
				whole ^= s.key[l-1]
			}
		}
		s.whole = append(s.whole, whole)
	}
	return s.clone(), nil
}

// MostListed is the largest board whose solutions are listed to compute the sizes of its orders. It has
// 365,596 solutions, and the next board has six times as many.
const MostListed = 14

// clone returns a Sizer that shares the solutions but no state, for another
// goroutine.
func (s *Sizer) clone() *Sizer {
	m := len(s.whole)
	return &Sizer{
		holds: s.holds, key: s.key, whole: s.whole,
		rest: make([]uint64, m), mixed: make([]uint64, m), group: make([]int32, m),
	}
}

// natural returns the order of the variables' numbers: row-major.
func (s *Sizer) natural() order.Order {
	o := make(order.Order, len(s.key))
	for i := range o {
		o[i] = cnf.Var(i + 1)
	}
	return o
}

// NumSolutions returns the number of solutions.
func (s *Sizer) NumSolutions() int { return len(s.whole) }

// Sizes returns the sizes of both diagrams under an order of all variables.
func (s *Sizer) Sizes(o order.Order) Sizes {
	var total Sizes
	bdd, zdd := s.Widths(o)
	for level := range bdd {
		total.BDD += bdd[level]
		total.ZDD += zdd[level]
	}
	return total
}

// RowMajor returns the size of one kind of diagram under the order of the variables' numbers.
func (s *Sizer) RowMajor(d robdd.Kind) int { return s.Sizes(s.natural()).Of(d) }

// Widths returns the number of nodes of both diagrams on each level.
func (s *Sizer) Widths(o order.Order) (bdd, zdd []int) {
	bdd, zdd = make([]int, len(o)), make([]int, len(o))
	s.start()
	for level, v := range o {
		bdd[level] = s.live
		zdd[level] = s.descend(v)
	}
	return bdd, zdd
}

// start moves the sweep above the top level, where the only cofactor is the function itself.
func (s *Sizer) start() {
	s.table.clear(4 * len(s.whole))
	s.live, s.query, s.groups = 0, 0, s.groups[:0]
	if len(s.whole) == 0 {
		return
	}
	copy(s.rest, s.whole)
	clear(s.group)
	all := group{size: int32(len(s.whole))}
	for i, rest := range s.whole {
		s.mixed[i] = mix(rest)
		all.value += s.mixed[i]
	}
	s.live, s.groups = 1, append(s.groups, all)
}

// here returns the number of nodes that v would have if it were the next variable.
func (s *Sizer) here(d robdd.Kind, v cnf.Var) int {
	if d == robdd.ZDD {
		return s.through(v)
	}
	return s.live
}

// descend moves the sweep below variable v and returns the number of ZDD nodes of v.
func (s *Sizer) descend(v cnf.Var) int {
	s.split = s.split[:0]
	first := int32(len(s.groups)) // the first group made in this step
	key := s.key[v-1]
	for _, i := range s.holds[v-1] {
		at := s.group[i]
		g := &s.groups[at]
		if g.size == 0 {
			continue // dropped: another group represents this solution's rest
		}
		if g.high < first {
			g.high = int32(len(s.groups))
			s.split = append(s.split, at)
			s.groups = append(s.groups, group{})
			g = &s.groups[at]
		}
		g.value -= s.mixed[i]
		g.size--
		s.group[i] = g.high
		high := &s.groups[g.high]
		s.rest[i] ^= key
		s.mixed[i] = mix(s.rest[i])
		high.value += s.mixed[i]
		high.size++
	}
	for _, g := range s.split {
		s.place(s.groups[g].high)
		s.live--
		if s.groups[g].size > 0 { // some rests do not contain v
			s.place(g)
		}
	}
	return len(s.split)
}

// through returns the number of ZDD nodes that v would have if it were the next variable.
func (s *Sizer) through(v cnf.Var) int {
	s.query--
	nodes := 0
	for _, i := range s.holds[v-1] {
		if g := &s.groups[s.group[i]]; g.size != 0 && g.high != s.query {
			g.high = s.query
			nodes++
		}
	}
	return nodes
}

// place counts a group as live if its value is new, and drops it if another live group has the same
// value.
func (s *Sizer) place(at int32) {
	g := &s.groups[at]
	e, known := s.table.find(g.value)
	if !known {
		s.table.add(e, g.value, at)
	} else if owner := &s.groups[e.number]; e.number != at && owner.size != 0 && owner.value == g.value {
		g.size = 0
		return
	} else {
		e.number = at // the entry's old group has changed since
	}
	s.live++
}
