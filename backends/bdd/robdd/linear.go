package robdd

import (
	"context"
	"encoding/binary"
	"math/bits"
)

// The other way to find what assumptions leave, for small diagrams and for assumptions that
// reach a large part of a large one: a pass up over all nodes from the lowest assumed level
// on, in memory order and without branches, and one down over the nodes that are alive and
// reached. If nearly all nodes are reached, a node costs a fifth of what it does in
// rest.go.

// small is the number of nodes up to which a diagram is always passed over as a whole; a
// larger one is if more than 1/part of its nodes are reached.
const small, part = 1 << 12, 6

// Selective reports whether questions under assumptions first visit only the nodes
// that the assumptions reach: then it pays to assume further literals that are known
// to hold.
func (s *Sweep) Selective() bool { return len(s.d.nodes) > s.small }

// The marks of a node, in s.live.
const (
	isAlive   uint8 = 1 << iota // a solution lies below it
	isReached                   // the root reaches it through nodes that are alive
)

// markLinear does what mark does. Below the lowest assumed height every node is alive,
// since a diagram has no other nodes.
func (s *Sweep) markLinear(ctx context.Context) (satisfiable bool, err error) {
	d, levels := s.d, len(s.value)
	s.visited += len(d.nodes)
	if s.live == nil {
		s.live = make([]uint8, len(d.nodes)+10) // whole words of eight
	}
	low := 0
	for s.value[low] == 0 {
		low++
	}
	for id := uint32(0); id < d.first[low]; id += 8 {
		binary.LittleEndian.PutUint64(s.live[id:], 0x0101010101010101*uint64(isAlive))
	}
	s.live[0] = 0
	for h := low; h < levels; h++ {
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
		lowFrom, highFrom := s.allowed(h)
		for i, e := range d.nodes[lo-2 : hi-2] {
			if e.Low < lowFrom {
				e.Low = 0
			}
			if e.High < highFrom {
				e.High = 0
			}
			live[lo+uint32(i)] = live[e.Low] | live[e.High]
		}
	}
	s.restart()
	if s.live[d.root] == 0 {
		s.alive = append(s.alive, make([]uint64, len(s.reached))...)
		return false, nil
	}
	s.live[d.root] |= isReached
	for h := levels - 1; h >= 0; h-- {
		if err := s.ended(ctx); err != nil {
			return false, err
		}
		s.reachAlive(h)
	}
	s.alive = append(s.alive[:0], s.reached...) // all nodes that were reached are alive
	s.alive[s.at(0)] |= 1 << 1
	return true, nil
}

// reachAlive processes the nodes of a height that are alive and reached: it marks their
// children, records what their edges say, and adds them to s.reached.
func (s *Sweep) reachAlive(h int) {
	d := s.d
	lowFrom, highFrom := s.allowed(h)
	var canLow, canHigh uint8
	lowest := ^uint32(0)
	lo, hi := d.first[h], d.first[h+1]
	live := s.live[:cap(s.live)]
	for id := lo; id < hi; id += 8 {
		word := binary.LittleEndian.Uint64(live[id:])
		word &= word >> 1 & 0x0101010101010101 // both marks
		for ; word != 0; word &= word - 1 {
			at := id + uint32(bits.TrailingZeros64(word)/8)
			if at >= hi {
				break
			}
			e := d.nodes[at-2]
			if e.Low < lowFrom {
				e.Low = 0
			}
			if e.High < highFrom {
				e.High = 0
			}
			l, r := live[e.Low]&isAlive, live[e.High]&isAlive
			live[e.Low] |= isReached
			live[e.High] |= isReached
			canLow |= l
			canHigh |= r
			// A child that is not alive counts as the largest id.
			lowest = min(lowest, e.Low|(uint32(l)-1), e.High|(uint32(r)-1))
			s.reached = placed(s.place, s.reached, at)
			s.reached[s.at(at)] |= 1 << (at & 63)
			for _, child := range [2]uint32{e.Low, e.High} { // looking up any child must find a place
				s.reached = placed(s.place, s.reached, child)
			}
		}
	}
	s.seen[h], s.lowest[h] = canHigh*canBeTrue|canLow*canBeFalse, lowest
}
