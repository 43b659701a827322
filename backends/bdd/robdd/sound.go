package robdd

import (
	"fmt"
	"slices"
)

// Whether the nodes of a Diagram are in order: children on lower levels, none redundant, no
// two alike, all reachable. It goes up the levels once, so a reader can check each level as
// it comes.
//
// A node is reachable when it has a parent: the parent, which has a larger id, has one
// too, and so on up to the last node, which is the root. Two nodes of a level that are alike
// have the same low child: a set of ids finds the low children that occur more than
// once, most often few, and only nodes that have one of these are looked up in a hash table.
type soundness struct {
	kind     Kind
	order    []Var
	children set // ids that are a child of some node so far
	once     set // low children on the level, of one node
	again    set // and of several
	slots    []uint32
}

// level checks the nodes of a height, which begin with id lo; nodes holds all nodes up to
// these.
func (s *soundness) level(h int, nodes []Edges, lo uint32) error {
	own := nodes[lo-2:]
	words := (int(lo) + 63) / 64 // children are below lo
	for len(s.children) < words {
		s.children, s.once, s.again = append(s.children, 0), append(s.once, 0), append(s.again, 0)
	}
	shared := uint64(0)
	for i, e := range own {
		if e.Low >= lo || e.High >= lo {
			return fmt.Errorf("node %d on level %d: children %d and %d: want ids below %d, on lower levels", lo+uint32(i), len(s.order)-1-h, e.Low, e.High, lo)
		}
		if e.Low == e.High && s.kind == BDD || e.High == 0 && s.kind == ZDD {
			return fmt.Errorf("node %d on level %d: children %d and %d make it redundant in a %v", lo+uint32(i), len(s.order)-1-h, e.Low, e.High, s.kind)
		}
		word, bit := e.Low>>6, uint64(1)<<(e.Low&63)
		twice := s.once[word] & bit
		s.once[word] |= bit
		s.again[word] |= twice
		shared |= twice
		s.children[word] |= bit
		s.children.add(e.High)
	}
	if shared != 0 {
		if err := s.unique(h, own, lo); err != nil {
			return err
		}
	}
	for _, e := range own {
		s.once[e.Low>>6] = 0
	}
	return nil
}

// unique compares the nodes of a height that share their low child, and clears the set of
// these.
func (s *soundness) unique(h int, own []Edges, lo uint32) error {
	count := 0
	for _, e := range own {
		count += int(s.again[e.Low>>6] >> (e.Low & 63) & 1)
	}
	size := 2*count + 1
	s.slots = slices.Grow(s.slots[:0], size)[:size]
	clear(s.slots)
	for i, e := range own {
		if !s.again.has(e.Low) {
			continue
		}
		at := slotOf(hashPair(e.Low, e.High), size)
		for ; s.slots[at] != 0; at++ {
			if other := s.slots[at]; own[other-lo] == e {
				return fmt.Errorf("nodes %d and %d on level %d both have children %d and %d", other, lo+uint32(i), len(s.order)-1-h, e.Low, e.High)
			}
			if at == size-1 {
				at = -1
			}
		}
		s.slots[at] = lo + uint32(i)
	}
	for _, e := range own {
		s.again[e.Low>>6] = 0
	}
	return nil
}

// reachable checks, once all levels have come, that every node but the root, the last one,
// is a child.
func (s *soundness) reachable(nodes int) error {
	for id := uint32(2); int(id) < nodes+1; id++ {
		if int(id>>6) >= len(s.children) || !s.children.has(id) {
			return fmt.Errorf("node %d is not reachable from the root", id)
		}
	}
	return nil
}
