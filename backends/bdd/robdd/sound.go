package robdd

import (
	"fmt"
	"math/bits"
	"slices"
)

// Checking the nodes of a Diagram: children on lower levels, none redundant, no two equal,
// all reachable. The check goes up the levels once, so a reader can check each level as it
// arrives.
//
// A node is reachable when it has a parent: the parent, which has a larger id, has one
// too, and so on up to the last node, which is the root.
//
// Two equal nodes of a level have the same low child. If a low child has had no parent
// before, on this level or below, there is nothing to compare. Nodes of the level whose low
// child has had one are compared through a hash table; in an ROBDD with long chains they
// are few.
type soundness struct {
	kind     Kind
	order    []Var
	children set // ids that are a child of some node so far
	again    set // low children on the level that had been children before
	suspects []uint32
	slots    []uint32
}

// level checks the nodes of a height, which start at id lo; nodes holds all nodes up to
// and including these. It returns the lowest child other than 0, or the largest number if
// there is none.
func (s *soundness) level(h int, nodes []Edges, lo uint32) (lowest uint32, err error) {
	own := nodes[lo-2:]
	if words := int(lo)/64 + 1; words > len(s.children) { // children are below lo
		s.children = append(s.children, make([]uint64, words-len(s.children))...)
		s.again = append(s.again, make([]uint64, words-len(s.again))...)
	}
	children, again := s.children, s.again
	shared := uint64(0)
	lowest = ^uint32(0)
	for i, e := range own {
		if e.Low >= lo || e.High >= lo {
			return 0, fmt.Errorf("node %d on level %d: children %d and %d: want ids below %d, on lower levels",
				lo+uint32(i), len(s.order)-1-h, e.Low, e.High, lo)
		}
		lowest = min(lowest, e.Low-1, e.High-1) // 0 becomes the largest
		word, bit := e.Low>>6, uint64(1)<<(e.Low&63)
		if had := children[word]; had&bit == 0 {
			children[word] = had | bit
		} else {
			again[word] |= bit
			shared = 1
		}
		if e.High != 0 {
			children[e.High>>6] |= 1 << (e.High & 63)
			if e.High != e.Low || s.kind == ZDD {
				continue
			}
		} else if e.Low != 0 && s.kind == BDD {
			continue
		}
		return 0, fmt.Errorf("node %d on level %d: children %d and %d make it redundant in a %v",
			lo+uint32(i), len(s.order)-1-h, e.Low, e.High, s.kind)
	}
	if shared != 0 {
		err = s.unique(h, own, lo)
	}
	if lowest != ^uint32(0) {
		lowest++
	}
	return lowest, err
}

// unique compares the nodes of a height whose low child may have several parents there, and
// clears the set of these children.
func (s *soundness) unique(h int, own []Edges, lo uint32) error {
	s.suspects = s.suspects[:0]
	for i, e := range own {
		if s.again[e.Low>>6]>>(e.Low&63)&1 != 0 {
			s.suspects = append(s.suspects, uint32(i))
		}
	}
	size := 2*len(s.suspects) + 1
	s.slots = slices.Grow(s.slots[:0], size)[:size]
	clear(s.slots)
	for _, i := range s.suspects {
		e := own[i]
		at := slotOf(hashPair(e.Low, e.High), size)
		for ; s.slots[at] != 0; at++ {
			if other := s.slots[at] - 1; own[other] == e {
				return fmt.Errorf("nodes %d and %d on level %d both have children %d and %d",
					lo+other, lo+i, len(s.order)-1-h, e.Low, e.High)
			}
			if at == size-1 {
				at = -1
			}
		}
		s.slots[at] = i + 1
	}
	for _, i := range s.suspects {
		s.again[own[i].Low>>6] = 0
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
