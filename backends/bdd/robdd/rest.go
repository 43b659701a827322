package robdd

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/bits"
)

// What assumptions leave of a diagram: the nodes and edges on a way from the root to a
// solution. Marks take a byte a node, so the passes that look at every node read the
// diagram and little else; those that count see only what is left, which is little
// when there is much to assume.

// The marks of a node, in s.live.
const (
	alive   uint8 = 1 << iota // a solution lies below it
	reached                   // the root leads to it by nodes that are alive
	onWay   = alive | reached
)

// mark finds out which nodes the assumptions leave on a way from the root to a
// solution: one pass up for alive, one pass down, over little else than these nodes,
// for reached. Below the lowest assumed height every node is alive, since the
// diagram has no other nodes. mark reports whether there is a solution.
//
// On the way down it notes for each height what the edges that are left say: s.seen
// and s.lowest.
func (s *Sweep) mark(ctx context.Context) (satisfiable bool, err error) {
	d, levels := s.d, len(s.value)
	if s.live == nil {
		s.live = make([]uint8, len(d.nodes)+10) // whole words of eight
	}
	for id := uint32(0); id < d.first[s.low]; id += 8 {
		binary.LittleEndian.PutUint64(s.live[id:], 0x0101010101010101*uint64(alive))
	}
	s.live[0] = 0
	for h := s.low; h < levels; h++ {
		if err := s.ended(ctx); err != nil {
			return false, err
		}
		lo, hi := d.first[h], d.first[h+1]
		live := s.live[:hi]
		if s.value[h] == 0 && d.lowest[h] >= s.floor[h] {
			for i, e := range d.nodes[lo-2 : hi-2] {
				live[lo+uint32(i)] = live[e.Low] | live[e.High]
			}
			continue
		}
		for id := lo; id < hi; id++ {
			e := s.allowed(h, id)
			live[id] = live[e.Low] | live[e.High]
		}
	}
	s.live[d.root] |= reached
	for h := levels - 1; h >= 0; h-- {
		if err := s.ended(ctx); err != nil {
			return false, err
		}
		var low, high uint8
		lowest := ^uint32(0)
		live := s.live[:d.first[h+1]]
		for _, id := range s.onWay(h) {
			e := s.allowed(h, id)
			l, r := live[e.Low]&alive, live[e.High]&alive
			live[e.Low] |= reached
			live[e.High] |= reached
			low |= l
			high |= r
			// A child that is not alive counts as the largest id.
			lowest = min(lowest, e.Low|(uint32(l)-1), e.High|(uint32(r)-1))
		}
		s.seen[h], s.lowest[h] = high*canBeTrue|low*canBeFalse, lowest
	}
	return s.live[d.root] == onWay, nil
}

// ended returns an error when the caller has given up.
func (s *Sweep) ended(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("robdd: walking a diagram of %d nodes: %w", len(s.d.nodes), err)
	}
	return nil
}

// allowed returns the children of a node at height h; those that the assumptions
// exclude become 0.
func (s *Sweep) allowed(h int, id uint32) Edges {
	e := s.d.nodes[id-2]
	if s.value[h] > 0 || e.Low < s.floor[h] {
		e.Low = 0
	}
	if s.value[h] < 0 || e.High < s.floor[h] {
		e.High = 0
	}
	return e
}

// onWay returns the nodes of a height that are marked so. The slice is valid until
// the next call.
func (s *Sweep) onWay(h int) []uint32 {
	s.ids = s.ids[:0]
	lo, hi := s.d.first[h], s.d.first[h+1]
	for id := lo; id < hi; id += 8 {
		word := binary.LittleEndian.Uint64(s.live[id:])
		word &= word >> 1 & 0x0101010101010101 // both marks
		for ; word != 0; word &= word - 1 {
			if at := id + uint32(bits.TrailingZeros64(word)/8); at < hi {
				s.ids = append(s.ids, at)
			}
		}
	}
	return s.ids
}

// rest returns the diagram without the nodes and edges that are on no way to a
// solution under the assumptions; the nodes are numbered anew. It is not reduced: a
// level that is assumed keeps its nodes. It is valid until the next call.
func (s *Sweep) rest(ctx context.Context) (*Diagram, error) {
	d := s.d
	if s.top < 0 {
		return d, nil
	}
	satisfiable, err := s.mark(ctx)
	if err != nil {
		return nil, err
	}
	r := &s.left
	if r.first == nil {
		*r = Diagram{kind: d.kind, order: d.order, levels: d.levels, first: make([]uint32, len(d.first)), lowest: make([]uint32, len(d.lowest))}
		s.renamed = make([]uint32, len(d.nodes)+2)
	}
	r.root, r.nodes, r.first[0] = 0, r.nodes[:0], 2
	renamed := s.renamed
	renamed[0], renamed[1] = 0, 1
	for h := range s.value {
		for _, id := range s.onWay(h) {
			renamed[id] = uint32(len(r.nodes)) + 2
			e := s.allowed(h, id)
			if s.live[e.Low]&alive == 0 {
				e.Low = 0
			}
			if s.live[e.High]&alive == 0 {
				e.High = 0
			}
			r.nodes = append(r.nodes, Edges{renamed[e.Low], renamed[e.High]})
		}
		r.first[h+1] = uint32(len(r.nodes)) + 2
		r.lowest[h] = lowestChild(r.nodes[r.first[h]-2:])
	}
	if satisfiable {
		r.root = renamed[d.root]
	}
	return r, nil
}
