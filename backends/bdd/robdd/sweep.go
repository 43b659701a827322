package robdd

import (
	"context"
	"fmt"
	"math/big"
	"slices"
)

// Sweep asks questions about one Diagram, under assumptions, and keeps the
// working memory between calls. It serves one goroutine at a time; several
// Sweeps may share a Diagram.
//
// Every question takes assumptions: literals that hold. They may come in any
// order; a repeated one counts once, contradictory ones have no solution.
type Sweep struct {
	d     *Diagram
	value []int8   // by height: 0 free, 1 assumed true, -1 assumed false
	reach bits     // nodes reachable from the root under the assumptions
	up    []uint64 // solutions below each node
	down  []uint64 // ways from the root to each node
}

// NewSweep returns a Sweep over a diagram.
func NewSweep(d *Diagram) *Sweep {
	return &Sweep{d: d, value: make([]int8, len(d.order))}
}

// assume sets the assumptions. ok is false when they contradict each other.
func (s *Sweep) assume(lits []Lit) (ok bool, err error) {
	clear(s.value)
	ok = true
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
			ok = false
		}
		*at = want
	}
	return ok, nil
}

// Count returns the number of solutions under the assumptions: assignments to all
// variables that agree with them and make the function true.
func (s *Sweep) Count(ctx context.Context, assume []Lit) (*big.Int, error) {
	ok, err := s.assume(assume)
	if err != nil || !ok {
		return new(big.Int), err
	}
	d := s.d
	up := make([]big.Int, len(d.nodes)+2)
	up[1].SetInt64(1)
	height := make([]int, len(d.nodes)+2) // number of heights below and with the node
	free := make([]int, len(d.order)+1)
	for h := range d.order {
		free[h+1] = free[h]
		if s.value[h] == 0 && d.kind == BDD {
			free[h+1]++
		}
	}
	forced := func(from, to int) bool { // ZDD: a variable assumed true is skipped
		return d.kind == ZDD && slices.Contains(s.value[from:to], 1)
	}
	see := func(id uint32, h int) *big.Int {
		if forced(height[id], h) {
			return new(big.Int)
		}
		return new(big.Int).Lsh(&up[id], uint(free[h]-free[height[id]]))
	}
	for h := range d.order {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for id := d.first[h]; id < d.first[h+1]; id++ {
			height[id] = h + 1
			e := d.nodes[id-2]
			if s.value[h] <= 0 {
				up[id].Add(&up[id], see(e.Low, h))
			}
			if s.value[h] >= 0 {
				up[id].Add(&up[id], see(e.High, h))
			}
		}
	}
	return see(d.root, len(d.order)), nil
}
