package robdd

import (
	"context"
	"fmt"
)

// Possible and implied literals of all variables at once.
//
// In a reduced diagram every node but 0 has a solution below it and is reached from
// the root, so without assumptions one pass that looks at each edge answers: a literal
// is possible when an edge to a node other than 0 says so or skips its level.
//
// Under assumptions that still holds below the lowest assumed level for solutions,
// and above the highest one for being reached. In between, and only there, both have
// to be found out: a pass down over what is reached, then a pass up, which drops what
// has no solution and looks at the edges at the same time.

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
	if err = s.reachAssumed(ctx); err == nil {
		err = s.possible(ctx, seen, skip)
	}
	if err != nil {
		return dst, err
	}
	if s.top >= 0 && s.live[d.root] == 0 {
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

// possible looks at the edges between nodes that are reached and have a solution. It
// leaves s.live 1 for these, from the lowest assumed height up.
func (s *Sweep) possible(ctx context.Context, seen []uint8, skip []int) error {
	d := s.d
	for h := range seen {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("robdd: walking a diagram of %d nodes: %w", len(d.nodes), err)
		}
		lo, hi := d.first[h], d.first[h+1]
		if lo == hi {
			continue
		}
		floor, below := s.floor[h], d.below(h)
		var low, high uint8 // becomes 1 when an edge says so
		switch {
		case s.top < 0:
			var anyLow, anyHigh uint32
			for _, e := range d.nodes[lo-2 : hi-2] {
				anyLow |= e.Low
				anyHigh |= e.High
			}
			low, high = uint8(min(anyLow, 1)), uint8(min(anyHigh, 1))
		case h > s.top:
			live := s.live[:hi]
			for i, e := range d.nodes[lo-2 : hi-2] {
				l, r := live[e.Low], live[e.High]
				if e.Low < floor {
					l = 0
				}
				if e.High < floor {
					r = 0
				}
				low |= l
				high |= r
				live[lo+uint32(i)] = l | r
			}
		default:
			value, live := s.value[h], s.live[:hi]
			for _, id := range s.level(h) {
				e := d.nodes[id-2]
				l, r := live[e.Low], live[e.High]
				if value > 0 || e.Low < floor {
					l = 0
				}
				if value < 0 || e.High < floor {
					r = 0
				}
				low |= l
				high |= r
				live[id] = l | r
			}
		}
		seen[h] = high | low<<1
		if d.lowest[h] < below {
			s.noteSkips(skip, h)
		}
	}
	return nil
}

// noteSkips notes the edges from height h that skip a level.
func (s *Sweep) noteSkips(skip []int, h int) {
	d := s.d
	below, floor, value := d.below(h), s.floor[h], s.value[h]
	for id := d.first[h]; id < d.first[h+1]; id++ {
		if s.top >= 0 && s.live[id] == 0 {
			continue
		}
		e := d.nodes[id-2]
		if value <= 0 && e.Low-1 < below-1 && e.Low >= floor && (s.top < 0 || s.live[e.Low] != 0) {
			d.skips(skip, h, e.Low)
		}
		if value >= 0 && e.High-1 < below-1 && e.High >= floor && (s.top < 0 || s.live[e.High] != 0) {
			d.skips(skip, h, e.High)
		}
	}
}
