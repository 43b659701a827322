package robdd

import (
	"context"
	"fmt"
	"math/bits"
)

// Possible and implied literals of all variables at once.
//
// In a reduced diagram every node but 0 has a solution below it and is reached
// from the root, so without assumptions one pass that looks at each edge answers:
// a literal is possible when an edge to a node other than 0 says so or skips its
// level. Under assumptions a node may have lost all its solutions; a pass down
// finds what is reached, and the pass up finds which of that is still satisfiable
// and looks at the edges at the same time.

// Possible appends to dst every literal that is true in at least one solution
// under the assumptions: for each variable, rising, v if it can be true, then -v if
// it can be false. A literal whose negation is missing is implied. When there is
// no solution it appends nothing.
func (s *Sweep) Possible(ctx context.Context, assume []Lit, dst []Lit) ([]Lit, error) {
	ok, err := s.assume(assume)
	if err != nil || !ok {
		return dst, err
	}
	d, levels := s.d, len(s.value)
	seen := make([]uint8, levels) // by height: 1 can be true, 2 can be false
	skip := make([]int, levels+1) // difference array: edges that pass a height unseen
	if len(assume) == 0 {
		err = s.possibleAll(ctx, seen, skip)
	} else if err = s.reach(ctx); err == nil {
		err = s.possibleLive(ctx, seen, skip)
	}
	if err != nil {
		return dst, err
	}
	if len(assume) > 0 && !s.live.has(d.root) {
		return dst, nil
	}
	d.skips(skip, levels, d.root)
	passing := 0
	for h := levels - 1; h >= 0; h-- {
		passing += skip[h]
		if passing == 0 {
			continue
		}
		switch {
		case d.kind == ZDD, s.value[h] < 0:
			seen[h] |= 2
		case s.value[h] > 0:
			seen[h] |= 1
		default:
			seen[h] |= 3
		}
	}
	for i, level := range d.levels {
		p := seen[levels-1-int(level)]
		if p&1 != 0 {
			dst = append(dst, Lit(i+1))
		}
		if p&2 != 0 {
			dst = append(dst, -Lit(i+1))
		}
	}
	return dst, nil
}

// Implied appends to dst the literals that are true in every solution under the
// assumptions, rising by variable, the assumptions themselves included. When there
// is no solution it appends nothing and reports false.
func (s *Sweep) Implied(ctx context.Context, assume []Lit, dst []Lit) ([]Lit, bool, error) {
	all, err := s.Possible(ctx, assume, nil)
	if err != nil {
		return dst, false, err
	}
	for i, l := range all {
		if (i == 0 || all[i-1] != -l) && (i+1 == len(all) || all[i+1] != -l) {
			dst = append(dst, l)
		}
	}
	return dst, len(all) > 0 || (s.d.root == 1 && len(s.value) == 0), nil
}

// skips notes an edge from height h to a node other than 0 in a difference array.
func (d *Diagram) skips(skip []int, h int, child uint32) {
	lowest := 0 // the lowest height that it skips
	if child >= 2 {
		lowest = d.heightOf(child) + 1
	}
	if lowest < h {
		skip[h-1]++
		if lowest > 0 {
			skip[lowest-1]--
		}
	}
}

func (s *Sweep) possibleAll(ctx context.Context, seen []uint8, skip []int) error {
	d := s.d
	for h := range seen {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("robdd: walking a diagram of %d nodes: %w", len(d.nodes), err)
		}
		var low, high uint32
		below := d.below(h) - 1
		for _, e := range d.nodes[d.first[h]-2 : d.first[h+1]-2] {
			low |= e.Low
			high |= e.High
			if e.Low-1 < below {
				d.skips(skip, h, e.Low)
			}
			if e.High-1 < below {
				d.skips(skip, h, e.High)
			}
		}
		if high != 0 {
			seen[h] |= 1
		}
		if low != 0 {
			seen[h] |= 2
		}
	}
	return nil
}

// possibleLive also takes out of s.live what is not satisfiable.
func (s *Sweep) possibleLive(ctx context.Context, seen []uint8, skip []int) error {
	d := s.d
	for h := range seen {
		lo, hi := d.first[h], d.first[h+1]
		if lo == hi {
			continue
		}
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("robdd: walking a diagram of %d nodes: %w", len(d.nodes), err)
		}
		floor, value, below := s.floor[h], s.value[h], d.below(h)
		for w := lo >> 6; w <= (hi-1)>>6; w++ {
			for word := s.live.word(w, lo, hi); word != 0; word &= word - 1 {
				id := w<<6 + uint32(bits.TrailingZeros64(word))
				e := d.nodes[id-2]
				high := value >= 0 && e.High >= floor && s.live.has(e.High)
				low := value <= 0 && e.Low >= floor && s.live.has(e.Low)
				if high {
					seen[h] |= 1
					if e.High < below {
						d.skips(skip, h, e.High)
					}
				}
				if low {
					seen[h] |= 2
					if e.Low < below {
						d.skips(skip, h, e.Low)
					}
				}
				if !high && !low {
					s.live.remove(id)
				}
			}
		}
	}
	return nil
}
