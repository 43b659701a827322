package robdd

import (
	"fmt"
	"math/bits"
	"slices"
)

// soundness checks the nodes of a Diagram: children lie on lower levels, no node is redundant, no two
// are equal, and all are reachable. It goes up the levels once, so a reader can check each level as it
// arrives.
//
// A node is reachable if it has a parent: the parent has a larger id and a parent of its own, and so on
// up to the last node, which is the root.
//
// A hash table finds equal nodes of a level.
type soundness struct {
	kind     Kind
	order    []Var
	children set      // ids that are a child of some node so far
	slots    []uint32 // hash table: a node's place on the level plus one; 0: empty
}

// level checks the nodes of a height, which start at id lo; nodes holds all nodes up to
// and including these.
func (s *soundness) level(h int, nodes []Node, lo uint32) error {
	own := nodes[lo-2:]
	for i, e := range own {
		id, level := lo+uint32(i), len(s.order)-1-h
		if e.Low >= lo || e.High >= lo {
			return fmt.Errorf("node %d on level %d: children %d and %d: want ids below %d, on lower levels",
				id, level, e.Low, e.High, lo)
		}
		if e.High == 0 && s.kind == ZDD || e.High == e.Low && s.kind == BDD {
			return fmt.Errorf("node %d on level %d: children %d and %d make it redundant in a %v",
				id, level, e.Low, e.High, s.kind)
		}
	}
	if words := int(lo)/64 + 1; words > len(s.children) { // children are below lo
		had := len(s.children)
		s.children = slices.Grow(s.children, words-had)[:words]
		clear(s.children[had:])
	}
	size := 2*len(own) + 1
	s.slots = slices.Grow(s.slots[:0], size)[:size]
	clear(s.slots)
	for i, e := range own {
		s.children[e.Low>>6] |= 1 << (e.Low & 63)
		s.children[e.High>>6] |= 1 << (e.High & 63)
		at := slotOf(hashPair(e.Low, e.High), size)
		for s.slots[at] != 0 {
			if other := s.slots[at] - 1; own[other] == e {
				return fmt.Errorf("nodes %d and %d on level %d both have children %d and %d",
					lo+other, lo+uint32(i), len(s.order)-1-h, e.Low, e.High)
			}
			if at++; at == size {
				at = 0
			}
		}
		s.slots[at] = uint32(i) + 1
	}
	return nil
}

// reachable checks, once all levels have been checked, that every node except the root,
// which is the last one, is a child.
func (s *soundness) reachable(nodes int) error {
	root := uint32(nodes + 1)
	for word := uint32(0); word*64 < root; word++ {
		lost := between(^uint64(0), word, 2, root)
		if int(word) < len(s.children) {
			lost &^= s.children[word]
		}
		if lost != 0 {
			return fmt.Errorf("node %d is not reachable from the root", word*64+uint32(bits.TrailingZeros64(lost)))
		}
	}
	return nil
}

// set is a set of node ids, one bit each.
type set []uint64

// between returns the bits of a word of a set that stand for lo <= id < hi.
func between(ids uint64, word, lo, hi uint32) uint64 {
	if first := word << 6; first < lo {
		ids &= ^uint64(0) << (lo - first)
	}
	if end := word<<6 + 63; end >= hi {
		ids &= ^uint64(0) >> (end - hi + 1)
	}
	return ids
}
