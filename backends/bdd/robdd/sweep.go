package robdd

import (
	"context"
	"fmt"
	"math/bits"
)

// Sweep asks questions about one Diagram, under assumptions, and keeps the
// working memory between calls: after the first call of a kind only results are
// allocated. It serves one goroutine at a time; several Sweeps may share a
// Diagram.
//
// Every question takes assumptions: literals that hold. They may come in any
// order; a repeated one counts once, contradictory ones have no solution. A
// solution assigns all variables, those that the function does not depend on
// too. Every question is at most one pass down and one pass up over the nodes
// that the root reaches under the assumptions.
type Sweep struct {
	d     *Diagram
	value []int8   // by height: 0 free, 1 assumed true, -1 assumed false
	free  []int    // by height: how many variables below it are free
	floor []uint32 // by height: an edge from here to a lower id has no solution
	live  set      // nodes reached under the assumptions
	up    []uint64 // solutions below each node, over the free variables
	down  []uint64 // ways from the root to each node
	skip  []uint64 // by height: difference array of what passes it unseen
	each  []uint64 // by height: solutions with the variable true
}

// NewSweep returns a Sweep over a diagram.
func NewSweep(d *Diagram) *Sweep {
	n := len(d.order)
	return &Sweep{d: d, value: make([]int8, n), free: make([]int, n+1), floor: make([]uint32, n+1)}
}

// assume sets the assumptions. It reports whether there can be a solution at all.
func (s *Sweep) assume(lits []Lit) (possible bool, err error) {
	clear(s.value)
	possible = true
	for _, l := range lits {
		v := l.Var()
		if v < 1 || int(v) > len(s.value) {
			return false, fmt.Errorf("robdd: assuming literal %d: variables are 1..%d", l, len(s.value))
		}
		want := int8(1)
		if l < 0 {
			want = -1
		}
		at := &s.value[len(s.value)-1-int(s.d.levels[v-1])]
		if *at == -want {
			possible = false
		}
		*at = want
	}
	for h, value := range s.value {
		s.free[h+1], s.floor[h+1] = s.free[h], s.floor[h]
		switch {
		case s.d.kind == ZDD && value > 0:
			// An edge that skips this level says false here. Only ids from this
			// level on do not skip it.
			s.floor[h+1] = s.d.first[h]
		case s.d.kind == BDD && value == 0:
			s.free[h+1]++
		}
	}
	top := len(s.value)
	return possible && s.d.root != 0 && s.d.root >= s.floor[top], nil
}

// reach marks in s.live what the root reaches under the assumptions: one pass
// from the top that touches nothing else.
func (s *Sweep) reach(ctx context.Context) error {
	d := s.d
	if s.live == nil {
		s.live = newSet(len(d.nodes) + 2)
	}
	clear(s.live)
	s.live.add(d.root)
	for h := len(d.order) - 1; h >= 0; h-- {
		lo, hi := d.first[h], d.first[h+1]
		if lo == hi {
			continue
		}
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("robdd: walking a diagram of %d nodes: %w", len(d.nodes), err)
		}
		floor, value := s.floor[h], s.value[h]
		for w := lo >> 6; w <= (hi-1)>>6; w++ {
			for word := s.live.word(w, lo, hi); word != 0; word &= word - 1 {
				e := d.nodes[w<<6+uint32(bits.TrailingZeros64(word))-2]
				if value <= 0 && e.Low >= floor {
					s.live.add(e.Low)
				}
				if value >= 0 && e.High >= floor {
					s.live.add(e.High)
				}
			}
		}
	}
	s.live[0] &^= 1
	s.live.add(1)
	return nil
}

// below returns the lowest id on the level next below height h: an edge from
// height h to a smaller id other than 0 skips a level. At the bottom none does.
func (d *Diagram) below(h int) uint32 {
	if h == 0 {
		return 1
	}
	return d.first[h-1]
}

// set is a set of node ids, one bit each.
type set []uint64

func newSet(n int) set          { return make(set, (n+63)/64) }
func (s set) add(i uint32)      { s[i>>6] |= 1 << (i & 63) }
func (s set) remove(i uint32)   { s[i>>6] &^= 1 << (i & 63) }
func (s set) has(i uint32) bool { return s[i>>6]>>(i&63)&1 != 0 }

// word returns the w-th word with only the bits of lo <= id < hi; it overlaps them.
func (s set) word(w, lo, hi uint32) uint64 {
	x := s[w]
	if w == lo>>6 {
		x &= ^uint64(0) << (lo & 63)
	}
	if w == (hi-1)>>6 {
		x &= ^uint64(0) >> (63 - (hi-1)&63)
	}
	return x
}
