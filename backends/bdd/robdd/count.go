package robdd

import (
	"context"
	"errors"
	"fmt"
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
	if err := s.reachAssumed(ctx, assume); err != nil {
		return nil, err
	}
	total, err := s.countUp(ctx, len(assume) == 0)
	if errors.Is(err, errOverflow) {
		return s.wideCount(ctx, len(assume) == 0)
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
	if err := s.reachAssumed(ctx, assume); err != nil {
		return nil, nil, err
	}
	if s.down == nil {
		s.down = make([]uint64, len(s.d.nodes)+2)
		s.each = make([]uint64, len(s.value))
		s.skip = make([]uint64, len(s.value)+1)
	}
	n, err := s.countUp(ctx, len(assume) == 0)
	if errors.Is(err, errOverflow) {
		return s.wideEach(ctx, len(assume) == 0, each)
	}
	if err == nil && n > 0 {
		err = s.countDown(ctx, len(assume) == 0, n)
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

// skips returns a bound for edges from height h: child-1 is below it when the
// edge skips a level on which its variable is free. In a ZDD none is.
func (s *Sweep) skips(h int) uint32 {
	if s.d.kind == ZDD {
		return 0
	}
	return s.d.below(h) - 1
}

// reachAssumed marks the live nodes when there are assumptions; without, all are.
func (s *Sweep) reachAssumed(ctx context.Context, assume []Lit) error {
	if len(assume) == 0 {
		return nil
	}
	return s.reach(ctx)
}

// countUp fills s.up for all nodes, or the live ones, and returns the total. It
// leaves s.down zero for the live ones.
func (s *Sweep) countUp(ctx context.Context, all bool) (uint64, error) {
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
		if lo == hi {
			continue
		}
		value, floor, skips := s.value[h], s.floor[h], s.skips(h)
		if all {
			up := s.up[:hi]
			for i, e := range d.nodes[lo-2 : hi-2] {
				low, high := up[e.Low], up[e.High]
				if e.Low-1 < skips || e.High-1 < skips {
					var over bool
					if low, high, over = s.scaled(h, e); over {
						return 0, errOverflow
					}
				}
				sum := low + high
				if sum < low {
					return 0, errOverflow
				}
				up[lo+uint32(i)] = sum
			}
			continue
		}
		for w := lo >> 6; w <= (hi-1)>>6; w++ {
			for word := s.live.word(w, lo, hi); word != 0; word &= word - 1 {
				id := w<<6 + uint32(bits.TrailingZeros64(word))
				e := d.nodes[id-2]
				if value > 0 || e.Low < floor {
					e.Low = 0
				}
				if value < 0 || e.High < floor {
					e.High = 0
				}
				low, high := s.up[e.Low], s.up[e.High]
				if e.Low-1 < skips || e.High-1 < skips {
					var over bool
					if low, high, over = s.scaled(h, e); over {
						return 0, errOverflow
					}
				}
				sum := low + high
				if sum < low {
					return 0, errOverflow
				}
				s.up[id] = sum
				if s.down != nil {
					s.down[id] = 0
				}
			}
		}
	}
	return s.see(d.root, len(s.value))
}

// scaled returns what a node at height h sees at its children, when they may skip
// levels.
func (s *Sweep) scaled(h int, e Edges) (low, high uint64, over bool) {
	low, err := s.see(e.Low, h)
	if err != nil {
		return 0, 0, true
	}
	high, err = s.see(e.High, h)
	return low, high, err != nil
}

// shift returns how many free variables lie between a node and height h.
func (s *Sweep) shift(id uint32, h int) int {
	if id < 2 {
		return s.free[h]
	}
	return s.free[h] - s.free[s.d.heightOf(id)+1]
}

// see returns the number of solutions over the variables below height h.
func (s *Sweep) see(id uint32, h int) (uint64, error) {
	n := s.up[id]
	if n == 0 {
		return 0, nil
	}
	shift := s.shift(id, h)
	if shift > bits.LeadingZeros64(n) {
		return 0, errOverflow
	}
	return n << shift, nil
}

// countDown fills s.each from s.up. No sum or product can overflow: each is a
// number of solutions, or a number of ways to a node that has one, and so at most
// the total.
func (s *Sweep) countDown(ctx context.Context, all bool, total uint64) error {
	d, levels := s.d, len(s.value)
	if all {
		clear(s.down)
	}
	clear(s.skip)
	s.down[d.root] = 1
	// A free variable above the root doubles the ways to it.
	s.down[d.root] <<= s.shift(d.root, levels)
	s.pass(levels, d.root, total)
	for h := levels - 1; h >= 0; h-- {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("robdd: counting on a diagram of %d nodes: %w", len(d.nodes), err)
		}
		s.each[h] = 0
		lo, hi := d.first[h], d.first[h+1]
		if lo == hi {
			continue
		}
		sum := uint64(0)
		value, floor, skips := s.value[h], s.floor[h], s.skips(h)
		if all {
			down := s.down[:hi]
			up := s.up[:hi]
			for i, e := range d.nodes[lo-2 : hi-2] {
				ways := down[lo+uint32(i)]
				if e.Low-1 < skips || e.High-1 < skips {
					sum += s.flow(h, e, ways)
					continue
				}
				down[e.Low] += ways
				down[e.High] += ways
				sum += ways * up[e.High]
			}
		} else {
			for w := lo >> 6; w <= (hi-1)>>6; w++ {
				for word := s.live.word(w, lo, hi); word != 0; word &= word - 1 {
					id := w<<6 + uint32(bits.TrailingZeros64(word))
					ways := s.down[id]
					if s.up[id] == 0 {
						continue
					}
					e := d.nodes[id-2]
					if value > 0 || e.Low < floor {
						e.Low = 0
					}
					if value < 0 || e.High < floor {
						e.High = 0
					}
					sum += s.flow(h, e, ways)
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

// flow sends the ways to a node at height h on to its children, and returns the
// number of solutions through its high edge.
func (s *Sweep) flow(h int, e Edges, ways uint64) uint64 {
	if s.up[e.Low] != 0 {
		s.send(h, e.Low, ways)
	}
	if s.up[e.High] != 0 {
		return s.send(h, e.High, ways)
	}
	return 0
}

func (s *Sweep) send(h int, child uint32, ways uint64) uint64 {
	if s.d.kind == BDD && child < s.d.below(h) {
		ways <<= s.shift(child, h)
		s.down[child] += ways
		s.pass(h, child, ways*s.up[child])
	} else {
		s.down[child] += ways
	}
	return ways * s.up[child]
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
