package robdd

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/big"
	"math/bits"
)

// Counting solutions, all of them and those through each variable, in machine
// words. When a word overflows, the same passes run in wide.go on as many words as
// it takes.

// errOverflow says that a count does not fit 64 bits.
var errOverflow = errors.New("robdd: a count overflows 64 bits")

// Count returns the number of solutions under the assumptions.
func (s *Sweep) Count(ctx context.Context, assume []Lit) (*big.Int, error) {
	ok, err := s.assume(assume)
	if err != nil || !ok {
		return new(big.Int), err
	}
	if err := s.reachAssumed(ctx); err != nil {
		return nil, err
	}
	total, err := s.countUp(ctx)
	if errors.Is(err, errOverflow) {
		return s.wideCount(ctx)
	}
	if err != nil {
		return nil, err
	}
	return new(big.Int).SetUint64(total), nil
}

// CountEach returns the number of solutions under the assumptions and, for
// variable v at index v-1, the number of those with v true. It is one pass up,
// which counts the solutions below each node, and one down, which counts the ways
// to it.
func (s *Sweep) CountEach(ctx context.Context, assume []Lit) (total *big.Int, each []*big.Int, err error) {
	each = make([]*big.Int, len(s.value))
	numbers := make([]big.Int, len(s.value))
	for i := range each {
		each[i] = &numbers[i]
	}
	ok, err := s.assume(assume)
	if err != nil {
		return nil, nil, err
	}
	if !ok {
		return new(big.Int), each, nil
	}
	if err := s.reachAssumed(ctx); err != nil {
		return nil, nil, err
	}
	if s.down == nil {
		s.down = make([]uint64, len(s.d.nodes)+2)
		s.each = make([]uint64, len(s.value))
		s.skip = make([]uint64, len(s.value)+1)
	}
	n, err := s.countUp(ctx)
	if errors.Is(err, errOverflow) {
		return s.wideEach(ctx, each)
	}
	if err == nil && n > 0 {
		err = s.countDown(ctx, n)
	}
	if err != nil {
		return nil, nil, err
	}
	if n > 0 {
		for i, level := range s.d.levels {
			each[i].SetUint64(s.each[len(s.value)-1-int(level)])
		}
	}
	return new(big.Int).SetUint64(n), each, nil
}

// reachAssumed marks the live nodes when there are assumptions; without, all are.
func (s *Sweep) reachAssumed(ctx context.Context) error {
	if s.top < 0 {
		return nil
	}
	return s.reach(ctx)
}

// countUp fills s.up for the live nodes and returns the total. It leaves s.down zero
// for them.
func (s *Sweep) countUp(ctx context.Context) (uint64, error) {
	d := s.d
	if s.up == nil {
		s.up = make([]uint64, len(d.nodes)+2)
	}
	s.up[0], s.up[1] = 0, 1
	for h := range s.value {
		if err := ctx.Err(); err != nil {
			return 0, fmt.Errorf("robdd: counting on a diagram of %d nodes: %w", len(d.nodes), err)
		}
		lo, hi := d.first[h], d.first[h+1]
		up := s.up[:hi]
		if h > s.top && s.floor[h] == 0 && !s.jumps(h) {
			for i, e := range d.nodes[lo-2 : hi-2] {
				sum := up[e.Low] + up[e.High]
				if sum < up[e.Low] {
					return 0, errOverflow
				}
				up[lo+uint32(i)] = sum
			}
			if s.down != nil {
				clear(s.down[lo:hi])
			}
			continue
		}
		for id := range s.nodes(h) {
			e := s.edges(h, id)
			low, over := s.see(e.Low, h)
			high, more := s.see(e.High, h)
			sum := low + high
			if over || more || sum < low {
				return 0, errOverflow
			}
			up[id] = sum
			if s.down != nil {
				s.down[id] = 0
			}
		}
	}
	total, over := s.see(d.root, len(s.value))
	if over {
		return 0, errOverflow
	}
	return total, nil
}

// jumps reports whether an edge from height h skips a level on which its variable
// may be free.
func (s *Sweep) jumps(h int) bool { return s.d.kind == BDD && s.d.lowest[h] < s.d.below(h) }

// nodes iterates over the live nodes at a height.
func (s *Sweep) nodes(h int) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		if h <= s.top {
			for _, id := range s.level(h) {
				if !yield(id) {
					return
				}
			}
			return
		}
		for id := s.d.first[h]; id < s.d.first[h+1]; id++ {
			if !yield(id) {
				return
			}
		}
	}
}

// edges returns the children of a node at height h; those that the assumptions
// exclude become 0.
func (s *Sweep) edges(h int, id uint32) Edges {
	e := s.d.nodes[id-2]
	if s.value[h] > 0 || e.Low < s.floor[h] {
		e.Low = 0
	}
	if s.value[h] < 0 || e.High < s.floor[h] {
		e.High = 0
	}
	return e
}

// shift returns how many free variables lie between a node and height h.
func (s *Sweep) shift(id uint32, h int) int {
	switch {
	case id >= s.d.below(h) && id >= 2 || s.d.kind == ZDD:
		return 0
	case id < 2:
		return s.free[h]
	}
	return s.free[h] - s.free[s.d.heightOf(id)+1]
}

// see returns the number of solutions of a child over the variables below height h.
func (s *Sweep) see(id uint32, h int) (n uint64, overflow bool) {
	n = s.up[id]
	if n == 0 {
		return 0, false
	}
	shift := s.shift(id, h)
	return n << shift, shift > bits.LeadingZeros64(n)
}

// countDown fills s.each from s.up. No sum or product can overflow: each is a
// number of solutions, or a number of ways to a node that has one, and so at most
// the total.
func (s *Sweep) countDown(ctx context.Context, total uint64) error {
	d, levels := s.d, len(s.value)
	clear(s.skip)
	// A free variable above the root doubles the ways to it.
	s.down[d.root] = 1 << s.shift(d.root, levels)
	s.pass(levels, d.root, total)
	for h := levels - 1; h >= 0; h-- {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("robdd: counting on a diagram of %d nodes: %w", len(d.nodes), err)
		}
		sum := uint64(0)
		lo, hi := d.first[h], d.first[h+1]
		if h > s.top && s.floor[h] == 0 && !s.jumps(h) {
			down, up := s.down[:hi], s.up[:hi]
			for i, e := range d.nodes[lo-2 : hi-2] {
				ways := down[lo+uint32(i)]
				if up[lo+uint32(i)] == 0 {
					continue
				}
				down[e.Low] += ways
				down[e.High] += ways
				sum += ways * up[e.High]
			}
		} else {
			for id := range s.nodes(h) {
				if s.up[id] != 0 {
					e, ways := s.edges(h, id), s.down[id]
					s.send(h, e.Low, ways)
					sum += s.send(h, e.High, ways)
				}
			}
		}
		s.each[h] = sum
	}
	passing := uint64(0)
	for h := levels - 1; h >= 0; h-- {
		passing += s.skip[h]
		switch {
		case s.value[h] > 0:
			s.each[h] = total
		case s.value[h] < 0:
			s.each[h] = 0
		case d.kind == BDD:
			s.each[h] += passing / 2 // an even number: the variable is free in all of it
		}
	}
	return nil
}

// send sends the ways to a node at height h on to a child, and returns the number of
// solutions that go there.
func (s *Sweep) send(h int, child uint32, ways uint64) uint64 {
	if s.up[child] == 0 {
		return 0
	}
	shift := s.shift(child, h)
	ways <<= shift
	s.down[child] += ways
	n := ways * s.up[child]
	if s.d.kind == BDD && child < s.d.below(h) {
		s.pass(h, child, n)
	}
	return n
}

// pass notes that n solutions go by an edge from height h to a child.
func (s *Sweep) pass(h int, child uint32, n uint64) {
	lowest := 0
	if child >= 2 {
		lowest = s.d.heightOf(child) + 1
	}
	if lowest < h {
		s.skip[h-1] += n
		if lowest > 0 {
			s.skip[lowest-1] -= n
		}
	}
}
