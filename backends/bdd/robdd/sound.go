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
// Of two equal nodes of a level, the later one has children that both had a parent before:
// the earlier one. In the diagrams of queens a fifth of a ZDD's nodes are like that, and a
// thirtieth of an ROBDD's with its long chains. Only nodes that could be equal to one of
// them, because its low child is the low child of one and its high child the high child of
// one, are compared, through a hash table.
type soundness struct {
	kind      Kind
	order     []Var
	children  set      // ids that are a child of some node so far
	low, high set      // ids that are such a child of a suspect on the level
	suspects  []uint32 // by place on the level
	slots     []uint32
}

// level checks the nodes of a height, which start at id lo; nodes holds all nodes up to
// and including these.
func (s *soundness) level(h int, nodes []Edges, lo uint32) error {
	if err := checkLevel(s.kind, s.order, h, nodes, lo); err != nil {
		return err
	}
	own := nodes[lo-2:]
	if words := int(lo)/64 + 1; words > len(s.children) { // children are below lo
		for _, ids := range [3]*set{&s.children, &s.low, &s.high} {
			had := len(*ids)
			*ids = slices.Grow(*ids, words-had)[:words]
			clear((*ids)[had:])
		}
	}
	s.suspects = slices.Grow(s.suspects[:0], len(own))[:len(own)]
	children, suspects, suspected := s.children, s.suspects, 0
	for i, e := range own {
		low, high := &children[e.Low>>6], &children[e.High>>6]
		suspects[suspected] = uint32(i)
		suspected += int(*low >> (e.Low & 63) & (*high >> (e.High & 63)) & 1)
		*low |= 1 << (e.Low & 63)
		*high |= 1 << (e.High & 63)
	}
	return s.unique(h, own, lo, suspected)
}

// checkLevel checks that the children of a height's nodes lie on lower levels, and that no
// node is redundant. The nodes start at id lo; nodes holds all up to and including these.
func checkLevel(kind Kind, order []Var, h int, nodes []Edges, lo uint32) error {
	for i, e := range nodes[lo-2:] {
		id, level := lo+uint32(i), len(order)-1-h
		if e.Low >= lo || e.High >= lo {
			return fmt.Errorf("node %d on level %d: children %d and %d: want ids below %d, on lower levels",
				id, level, e.Low, e.High, lo)
		}
		if e.High == 0 && kind == ZDD || e.High == e.Low && kind == BDD {
			return fmt.Errorf("node %d on level %d: children %d and %d make it redundant in a %v",
				id, level, e.Low, e.High, kind)
		}
	}
	return nil
}

// unique looks for nodes of a height that are equal to a suspect.
func (s *soundness) unique(h int, own []Edges, lo uint32, suspects int) error {
	if suspects == 0 {
		return nil
	}
	low, high := s.low, s.high
	for _, i := range s.suspects[:suspects] {
		e := own[i]
		low[e.Low>>6] |= 1 << (e.Low & 63)
		high[e.High>>6] |= 1 << (e.High & 63)
	}
	suspects = 0
	for i, e := range own {
		s.suspects[suspects] = uint32(i)
		suspects += int(low[e.Low>>6] >> (e.Low & 63) & (high[e.High>>6] >> (e.High & 63)) & 1)
	}
	size := 2*suspects + 1
	s.slots = slices.Grow(s.slots[:0], size)[:size]
	clear(s.slots)
	for _, i := range s.suspects[:suspects] {
		e := own[i]
		low[e.Low>>6], high[e.High>>6] = 0, 0
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
