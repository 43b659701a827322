package search

import (
	"context"
	"fmt"
	"math/bits"

	"queens/backends/diagram"
	"queens/backends/search"
	"queens/encode"
	"queens/encode/cnf"
	"queens/order"
)

// Sizes are the internal nodes of a function's reduced diagrams under one
// order, terminals not counted and without complement edges.
type Sizes struct {
	BDD int `json:"bdd"`
	ZDD int `json:"zdd"`
}

// Of returns the size of one kind of diagram.
func (s Sizes) Of(d diagram.Kind) int {
	if d == diagram.ZDD {
		return s.ZDD
	}
	return s.BDD
}

// Sizer computes the diagram sizes of one set of solutions under any order,
// without building a diagram. All solutions have the same number of queens,
// which makes it fast.
//
// Once the variables above a level are decided, one of the function's cofactors
// is left: a set of rests, where a rest is the part of a solution below. All
// rests of a cofactor have the same number of queens, so the low and high child
// of a non-empty cofactor always differ, and the ROBDD has exactly one node on a
// level for each distinct non-empty cofactor. The width of the level thus
// depends only on which variables are above, not on their sequence. The ZDD has
// a node for each distinct cofactor in which some rest contains the level's
// variable.
//
// A sweep goes down the order and keeps track of the distinct cofactors. One
// variable further down, only the rests with a queen there change: each cofactor
// that has such rests is split in two, and a part equal to another cofactor is
// dropped, since it will stay equal. Cofactors are compared by a 64-bit sum over
// hashed rests. With k cofactors, the probability that two different ones
// compare as equal is about k*k/2^65, below 10^-12 for the largest boards in
// use. For this reason an engine recomputes the size of every order claimed to
// be good.
//
// A Sizer allocates only while its tables grow to the size that the worst order
// so far needed. It serves one goroutine at a time.
type Sizer struct {
	vars  int
	first []int32 // first[v-1]..first[v]: the part of holds of variable v
	holds []int32 // solutions with v true, for each v in turn
	key   []uint64
	whole []uint64 // by solution: exclusive or of the keys of its queens

	// The state of a sweep. A solution belongs to a group: the cofactor reached
	// by the solution's values above. Solutions of a dropped group keep its
	// number; the group's size is then 0.
	rest  []uint64 // by solution: exclusive or of the keys of its queens below
	mixed []uint64 // by solution: hash of rest
	group []int32  // by solution
	value []uint64 // by group: sum of mixed over its solutions, which identifies the cofactor
	size  []int32  // by group: number of its solutions; 0 when it is empty or was dropped
	high  []int32  // by group: where the solutions with the variable go ...
	when  []int32  // ... in the step with this number
	step  int32
	live  int // groups that are neither empty nor dropped

	split []int32 // groups split in this step
	// Open addressing from value to group. An entry is valid as long as its
	// group still has that value: groups change, but entries are not removed.
	table []entry
	used  int
	round uint32 // entries of other rounds are free
}

type entry struct {
	value uint64
	group int32
	round uint32
}

// NewSizer returns the Sizer of a set of solutions over variables 1..vars. Each
// solution is given as its true variables; all have the same number of them,
// and no two are equal.
func NewSizer(vars int, solutions [][]cnf.Var) (*Sizer, error) {
	s := &Sizer{
		vars:  vars,
		first: make([]int32, vars+1),
		key:   make([]uint64, vars),
		whole: make([]uint64, len(solutions)),
	}
	for v := range s.key {
		s.key[v] = mix(uint64(v+1) * 0x9e3779b97f4a7c15)
	}
	for i, solution := range solutions {
		if len(solution) != len(solutions[0]) {
			return nil, fmt.Errorf("solution %d has %d true variables, but the first has %d", i, len(solution),
				len(solutions[0]))
		}
		for _, v := range solution {
			if v < 1 || int(v) > vars {
				return nil, fmt.Errorf("solution %d: variable %d is not one of 1..%d", i, v, vars)
			}
			s.first[v]++
			s.whole[i] ^= s.key[v-1]
		}
	}
	for v := range vars {
		s.first[v+1] += s.first[v]
	}
	s.holds = make([]int32, s.first[vars])
	next := append([]int32(nil), s.first...)
	for i, solution := range solutions {
		for _, v := range solution {
			s.holds[next[v-1]] = int32(i)
			next[v-1]++
		}
	}
	return s.clone(), nil
}

// Of lists the solutions of a problem and returns their Sizer. It takes a
// millisecond on an empty board of 8, a tenth of a second on one of 12, and
// seconds and a gigabyte on one of 14.
func Of(ctx context.Context, p encode.Problem) (*Sizer, error) {
	var solutions [][]cnf.Var
	for model, err := range search.New(p).Solutions(ctx, nil) {
		if err != nil {
			return nil, fmt.Errorf("listing the solutions for n = %d: %w", p.N, err)
		}
		solution := make([]cnf.Var, 0, p.N)
		for _, l := range model {
			if l.Positive() {
				solution = append(solution, l.Var())
			}
		}
		solutions = append(solutions, solution)
	}
	return NewSizer(p.NumVars(), solutions)
}

// MostListed is the largest board whose solutions are listed to compute the sizes of its orders:
// there are 365,596 of them, and six times as many on the next board.
const MostListed = 14

// Board returns the Sizer of an empty board of queens.
func Board(ctx context.Context, n int) (*Sizer, error) {
	p, err := encode.Queens(n, nil, nil)
	if err != nil {
		return nil, err
	}
	return Of(ctx, p)
}

// clone returns a Sizer that shares the solutions but no state, for another
// goroutine.
func (s *Sizer) clone() *Sizer {
	m := len(s.whole)
	return &Sizer{
		vars: s.vars, first: s.first, holds: s.holds, key: s.key, whole: s.whole,
		rest: make([]uint64, m), mixed: make([]uint64, m), group: make([]int32, m),
		table: make([]entry, 1<<bits.Len(uint(8*m+8))),
	}
}

// NumVars returns the number of variables.
func (s *Sizer) NumVars() int { return s.vars }

// NumSolutions returns the number of solutions.
func (s *Sizer) NumSolutions() int { return len(s.whole) }

// Sizes returns the sizes of both diagrams under an order of all variables.
func (s *Sizer) Sizes(o order.Order) Sizes {
	var total Sizes
	s.start()
	for _, v := range o {
		total.BDD += s.live
		total.ZDD += s.descend(v)
	}
	return total
}

// RowMajor returns the size of one kind of diagram under the order of the variables' numbers.
func (s *Sizer) RowMajor(d diagram.Kind) int {
	o := make(order.Order, s.vars)
	for i := range o {
		o[i] = cnf.Var(i + 1)
	}
	return s.Sizes(o).Of(d)
}

// Widths fills bdd and zdd, which have one element per variable, with the
// number of nodes on each level.
func (s *Sizer) Widths(o order.Order, bdd, zdd []int) {
	s.start()
	for level, v := range o {
		bdd[level] = s.live
		zdd[level] = s.descend(v)
	}
}

// start puts the sweep above the top level: one cofactor, the function itself.
func (s *Sizer) start() {
	s.round++
	if s.round == 0 { // wrapped around: old entries must not become valid again
		clear(s.table)
		s.round = 1
	}
	s.used, s.live, s.step = 0, 0, 0
	s.value, s.size, s.high, s.when = s.value[:0], s.size[:0], s.high[:0], s.when[:0]
	if len(s.whole) == 0 {
		return
	}
	g := s.newGroup()
	s.live = 1
	copy(s.rest, s.whole)
	clear(s.group)
	for i, rest := range s.whole {
		s.mixed[i] = mix(rest)
		s.value[g] += s.mixed[i]
	}
	s.size[g] = int32(len(s.whole))
}

// next takes the sweep below variable v and returns the number of nodes of v.
func (s *Sizer) next(d diagram.Kind, v cnf.Var) int {
	width := s.live
	nodes := s.descend(v)
	if d == diagram.ZDD {
		return nodes
	}
	return width
}

// here returns the number of nodes that v would have if it came next.
func (s *Sizer) here(d diagram.Kind, v cnf.Var) int {
	if d == diagram.ZDD {
		return s.through(v)
	}
	return s.live
}

// descend takes the sweep below variable v and returns the number of ZDD nodes
// of v.
func (s *Sizer) descend(v cnf.Var) int {
	s.step++
	s.split = s.split[:0]
	key := s.key[v-1]
	for _, i := range s.holds[s.first[v-1]:s.first[v]] {
		g := s.group[i]
		if s.size[g] == 0 {
			continue // dropped: another group represents this solution's rest
		}
		if s.when[g] != s.step {
			s.when[g] = s.step
			s.split = append(s.split, g)
			high := s.newGroup()
			s.high[g] = high
		}
		high := s.high[g]
		s.value[g] -= s.mixed[i]
		s.size[g]--
		s.rest[i] ^= key
		s.mixed[i] = mix(s.rest[i])
		s.value[high] += s.mixed[i]
		s.size[high]++
		s.group[i] = high
	}
	for _, g := range s.split {
		s.place(s.high[g])
		if s.size[g] == 0 {
			s.live-- // every rest had v
		} else {
			s.live-- // place counts it again
			s.place(g)
		}
	}
	return len(s.split)
}

// through returns the number of ZDD nodes that v would have if it came next.
func (s *Sizer) through(v cnf.Var) int {
	s.step++
	nodes := 0
	for _, i := range s.holds[s.first[v-1]:s.first[v]] {
		if g := s.group[i]; s.size[g] != 0 && s.when[g] != s.step {
			s.when[g] = s.step
			nodes++
		}
	}
	return nodes
}

func (s *Sizer) newGroup() int32 {
	s.value = append(s.value, 0)
	s.size = append(s.size, 0)
	s.high = append(s.high, 0)
	s.when = append(s.when, 0)
	return int32(len(s.value) - 1)
}

// place counts a group whose value is new, and drops one whose value another
// live group has.
func (s *Sizer) place(g int32) {
	value := s.value[g]
	mask := uint64(len(s.table) - 1)
	at := value & mask
	for ; s.table[at].round == s.round; at = (at + 1) & mask {
		e := &s.table[at]
		if e.value != value {
			continue
		}
		if e.group != g && s.size[e.group] != 0 && s.value[e.group] == value {
			s.size[g] = 0
			return
		}
		e.group = g // the group that had this value has changed since
		s.live++
		return
	}
	s.table[at] = entry{value: value, group: g, round: s.round}
	s.live++
	if s.used++; 2*s.used > len(s.table) {
		s.grow()
	}
}

// grow doubles the table and leaves out entries that are no longer valid.
func (s *Sizer) grow() {
	old := s.table
	s.table = make([]entry, 2*len(old))
	s.used = 0
	mask := uint64(len(s.table) - 1)
	for _, e := range old {
		if e.round != s.round || s.size[e.group] == 0 || s.value[e.group] != e.value {
			continue
		}
		at := e.value & mask
		for s.table[at].round == s.round {
			at = (at + 1) & mask
		}
		s.table[at] = e
		s.used++
	}
}

// mix spreads a 64-bit word: the finalizer of SplitMix64 (Steele, Lea and
// Flood, OOPSLA 2014).
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
