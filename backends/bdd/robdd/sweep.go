package robdd

import (
	"context"
	"encoding/binary"
	"fmt"
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
	top   int      // the highest assumed height, -1 without assumptions
	low   int      // the lowest assumed height, past all without assumptions
	live  []uint8  // by id, up to height top: 1 when reached under the assumptions
	ids   []uint32 // see level
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
	possible, s.top, s.low = true, -1, len(s.value)
	for _, l := range lits {
		v := l.Var()
		if v < 1 || int(v) > len(s.value) {
			return false, fmt.Errorf("robdd: assuming literal %d: variables are 1..%d", l, len(s.value))
		}
		want := int8(1)
		if l < 0 {
			want = -1
		}
		h := len(s.value) - 1 - int(s.d.levels[v-1])
		if s.value[h] == -want {
			possible = false
		}
		s.value[h] = want
		s.top, s.low = max(s.top, h), min(s.low, h)
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

// reach marks in s.live the nodes from the highest assumed level down which the root
// reaches: one pass from there that touches little else. Everything above is reached,
// since the diagram has no other nodes.
func (s *Sweep) reach(ctx context.Context) error {
	d := s.d
	if s.live == nil {
		s.live = make([]uint8, len(d.nodes)+10) // whole words of eight
	}
	clear(s.live[:d.first[s.top+1]])
	for i := d.first[s.top]; i < d.first[s.top+1]; i++ {
		s.live[i] = 1
	}
	s.live[d.root] = 1
	for h := s.top + 1; h < len(s.value); h++ {
		if d.lowest[h] >= d.first[s.top] {
			continue // no edge jumps over the highest assumed level
		}
		floor := s.floor[h]
		for _, e := range d.nodes[d.first[h]-2 : d.first[h+1]-2] {
			if e.Low < d.first[s.top] && e.Low >= floor {
				s.live[e.Low] = 1
			}
			if e.High < d.first[s.top] && e.High >= floor {
				s.live[e.High] = 1
			}
		}
	}
	for h := s.top; h >= 0; h-- {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("robdd: walking a diagram of %d nodes: %w", len(d.nodes), err)
		}
		floor, value, live := s.floor[h], s.value[h], s.live[:d.first[h+1]]
		for _, id := range s.level(h) {
			e := d.nodes[id-2]
			if value <= 0 && e.Low >= floor {
				live[e.Low] = 1
			}
			if value >= 0 && e.High >= floor {
				live[e.High] = 1
			}
		}
	}
	s.live[0], s.live[1] = 0, 1
	return nil
}

// level returns the live nodes of a height up to s.top. The slice is valid until the
// next call.
func (s *Sweep) level(h int) []uint32 {
	s.ids = s.ids[:0]
	lo, hi := s.d.first[h], s.d.first[h+1]
	for id := lo; id < hi; id += 8 {
		if binary.LittleEndian.Uint64(s.live[id:]) == 0 {
			continue
		}
		for i, live := range s.live[id:min(id+8, hi)] {
			if live != 0 {
				s.ids = append(s.ids, id+uint32(i))
			}
		}
	}
	return s.ids
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
func (s set) has(i uint32) bool { return s[i>>6]>>(i&63)&1 != 0 }
