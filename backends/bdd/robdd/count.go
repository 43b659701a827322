package robdd

import (
	"context"
	"errors"
	"math/big"
	"math/bits"
)

// Counting solutions, all of them and those with each variable true, in machine
// words. When a word overflows, the same passes run in wide.go on as many words as
// needed.

// errOverflow says that a count does not fit in 64 bits.
var errOverflow = errors.New("robdd: a count overflows 64 bits")

// Count returns the number of solutions under the assumptions.
func (s *Sweep) Count(ctx context.Context, assume []Lit) (*big.Int, error) {
	ok, err := s.assume(assume)
	if err != nil || !ok {
		return new(big.Int), err
	}
	r, err := s.rest(ctx)
	if err != nil {
		return nil, err
	}
	total, err := s.countUp(ctx, r)
	if errors.Is(err, errOverflow) {
		return s.wideCount(ctx, r)
	}
	if err != nil {
		return nil, err
	}
	return new(big.Int).SetUint64(total), nil
}

// CountEach returns the number of solutions under the assumptions and, for variable v
// at index v-1, the number of those with v true. It makes one pass up, which counts
// the solutions below each node, and one down, which counts the paths to it.
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
	r, err := s.rest(ctx)
	if err != nil {
		return nil, nil, err
	}
	n, err := s.countUp(ctx, r)
	if errors.Is(err, errOverflow) {
		return s.wideEach(ctx, r, each)
	}
	if err == nil && n > 0 {
		err = s.countDown(ctx, r, n)
	}
	if err != nil {
		return nil, nil, err
	}
	if n > 0 {
		for i, level := range r.levels {
			each[i].SetUint64(s.each[len(s.value)-1-int(level)])
		}
	}
	return new(big.Int).SetUint64(n), each, nil
}

// sized returns memory for one number per node, reusing numbers if it is large
// enough.
func sized(numbers []uint64, r *Diagram) []uint64 {
	if n := len(r.nodes) + 2; n > cap(numbers) {
		return make([]uint64, n)
	} else {
		return numbers[:n]
	}
}

// countUp fills s.up, and returns the total.
func (s *Sweep) countUp(ctx context.Context, r *Diagram) (uint64, error) {
	s.up = sized(s.up, r)
	s.up[0], s.up[1] = 0, 1
	for h := range s.value {
		if err := s.ended(ctx); err != nil {
			return 0, err
		}
		lo, hi := r.first[h], r.first[h+1]
		up := s.up[:hi]
		var overflow uint64
		if !r.jumps(h) {
			for i, e := range r.nodes[lo-2 : hi-2] {
				sum, carry := bits.Add64(up[e.Low], up[e.High], 0)
				overflow |= carry
				up[lo+uint32(i)] = sum
			}
		} else {
			for i, e := range r.nodes[lo-2 : hi-2] {
				low, over := s.see(r, h, e.Low)
				high, more := s.see(r, h, e.High)
				if over || more {
					return 0, errOverflow
				}
				sum, carry := bits.Add64(low, high, 0)
				overflow |= carry
				up[lo+uint32(i)] = sum
			}
		}
		if overflow != 0 {
			return 0, errOverflow
		}
	}
	total, over := s.see(r, len(s.value), r.root)
	if over {
		return 0, errOverflow
	}
	return total, nil
}

// jumps reports whether an edge from height h skips a level on which its variable
// may be free.
func (d *Diagram) jumps(h int) bool { return d.kind == BDD && d.lowest[h] < d.below(h) }

// shift returns how many free variables lie between height h and a node below it.
func (s *Sweep) shift(r *Diagram, h int, id uint32) int {
	switch {
	case id >= r.below(h) && id >= 2 || r.kind == ZDD:
		return 0
	case id < 2:
		return s.free[h]
	}
	return s.free[h] - s.free[r.heightOf(id)+1]
}

// see returns the number of solutions of a child over the variables below height h.
func (s *Sweep) see(r *Diagram, h int, id uint32) (n uint64, overflow bool) {
	n = s.up[id]
	if n == 0 {
		return 0, false
	}
	shift := s.shift(r, h, id)
	return n << shift, shift > bits.LeadingZeros64(n)
}

// countDown fills s.each from s.up. No sum or product can overflow: each is a number
// of solutions, or of paths to a node that has one, and so at most the total.
func (s *Sweep) countDown(ctx context.Context, r *Diagram, total uint64) error {
	levels := len(s.value)
	s.down = sized(s.down, r)
	clear(s.down)
	if s.each == nil {
		s.each, s.skip = make([]uint64, levels), make([]uint64, levels+1)
	}
	clear(s.skip)
	// A free variable above the root doubles the paths to it.
	s.down[r.root] = 1 << s.shift(r, levels, r.root)
	s.pass(r, levels, r.root, total)
	for h := levels - 1; h >= 0; h-- {
		if err := s.ended(ctx); err != nil {
			return err
		}
		sum := uint64(0)
		lo, hi := r.first[h], r.first[h+1]
		if !r.jumps(h) {
			down, up := s.down[:hi], s.up[:hi]
			for i, e := range r.nodes[lo-2 : hi-2] {
				ways := down[lo+uint32(i)]
				down[e.Low] += ways
				down[e.High] += ways
				sum += ways * up[e.High]
			}
		} else {
			for i, e := range r.nodes[lo-2 : hi-2] {
				ways := s.down[lo+uint32(i)]
				s.send(r, h, e.Low, ways)
				sum += s.send(r, h, e.High, ways)
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
		case r.kind == BDD:
			s.each[h] += passing / 2 // an even number: the variable is free in all of it
		}
	}
	return nil
}

// send passes the paths to a node at height h on to a child, and returns the number
// of solutions that go through it.
func (s *Sweep) send(r *Diagram, h int, child uint32, ways uint64) uint64 {
	if s.up[child] == 0 {
		return 0
	}
	ways <<= s.shift(r, h, child)
	s.down[child] += ways
	n := ways * s.up[child]
	if child < r.below(h) {
		s.pass(r, h, child, n)
	}
	return n
}

// pass records that n solutions use an edge from height h to a child.
func (s *Sweep) pass(r *Diagram, h int, child uint32, n uint64) {
	if r.kind == ZDD {
		return // where the variables that it skips are false
	}
	lowest := 0
	if child >= 2 {
		lowest = r.heightOf(child) + 1
	}
	if lowest < h {
		s.skip[h-1] += n
		if lowest > 0 {
			s.skip[lowest-1] -= n
		}
	}
}
