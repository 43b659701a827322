package robdd

import (
	"context"
	"fmt"
	"math/bits"
)

// What assumptions leave of a diagram: the nodes and edges on a path from the root to
// a solution.
//
// One pass down finds the nodes that the root still reaches by edges that the assumptions
// allow; one pass up over these alone finds those with a solution below. Nodes that are not
// reached are never visited, so the cost of a question is proportional to what its
// assumptions reach. A caller that knows further literals to hold, say from unit
// propagation, can reduce it by assuming them too.
//
// Both sets have one bit per node, in runs of 16 words of 64 ids that exist only where a
// node is reached; place says where. So the memory for a question is in proportion to what
// it reaches, except for 4 bytes in place for each 1024 nodes of the diagram. The inner
// loops have no branch that depends on a node: child 0 has a word like any other.

const (
	runIDs   = 1 << 10     // ids of a run
	runWords = runIDs / 64 // words of a run
)

// at returns where the word of an id lies in the sets; if it has none, one of the first
// runWords places, which are always empty.
func (s *Sweep) at(id uint32) uint32 { return s.place[id/runIDs] | id/64%runWords }

// mark finds the nodes that the assumptions leave, and records in s.seen and s.lowest
// what their edges say. It reports whether there is a solution.
func (s *Sweep) mark(ctx context.Context) (satisfiable bool, err error) {
	satisfiable, _, err = s.markSome(ctx, len(s.d.nodes))
	return satisfiable, err
}

// markSome does what mark does, but visits at most width nodes of each level and takes the
// others to be false; all reports whether there were no others.
func (s *Sweep) markSome(ctx context.Context, width int) (satisfiable, all bool, err error) {
	if len(s.d.nodes) <= s.small {
		satisfiable, err = s.markLinear(ctx)
		return satisfiable, true, err
	}
	s.restart()
	found, err := s.reach(ctx, width)
	switch {
	case err != nil:
		return false, false, err
	case found == tooMany:
		satisfiable, err = s.markLinear(ctx)
		return satisfiable, true, err
	}
	s.alive = append(s.alive, make([]uint64, len(s.reached))...)
	s.alive[s.at(0)] = 1 << 1
	for h := range s.value {
		if err := s.ended(ctx); err != nil {
			return false, false, err
		}
		s.findAlive(h)
	}
	root := s.d.root
	return s.alive[s.at(root)]>>(root&63)&1 != 0, found == allReached, nil
}

// restart empties the sets, and adds the root to those that are reached.
func (s *Sweep) restart() {
	if s.place == nil {
		s.place = make([]uint32, (len(s.d.nodes)+1)/runIDs+1)
	}
	clear(s.place)
	root := s.d.root
	s.reached, s.alive = append(s.reached[:0], make([]uint64, runWords)...), s.alive[:0]
	s.reached = placed(s.place, s.reached, 0)
	s.reached = placed(s.place, s.reached, root)
	s.reached[s.at(root)] |= 1 << (root & 63)
}

// What reach found.
type reaching int

const (
	allReached  reaching = iota // all nodes that the root reaches
	someReached                 // some of them
	tooMany                     // so many that a pass over all nodes is faster
)

// reach finds the nodes that the root reaches, up to width per level.
func (s *Sweep) reach(ctx context.Context, width int) (found reaching, err error) {
	d, place, reached := s.d, s.place, s.reached
	visited := 0
	defer func() { s.visited += visited }()
	for h := len(s.value) - 1; h >= 0; h-- {
		if err := s.ended(ctx); err != nil {
			return 0, err
		}
		if visited > s.most {
			return tooMany, nil
		}
		low, high := s.allowed(h)
		lo, hi := d.first[h], d.first[h+1]
		if int(hi-lo) > width && thin(place, reached, lo, hi, width) {
			found = someReached
		}
		for word := lo / 64; word*64 < hi; word++ {
			at := place[word/runWords]
			if at == 0 {
				word |= runWords - 1
				continue
			}
			ids := between(reached[at|word%runWords], word, lo, hi)
			visited += bits.OnesCount64(ids)
			for ; ids != 0; ids &= ids - 1 {
				e := d.nodes[word<<6+uint32(bits.TrailingZeros64(ids))-2]
				if e.Low < low {
					e.Low = 0
				}
				if e.High < high {
					e.High = 0
				}
				l, r := place[e.Low/runIDs], place[e.High/runIDs]
				if l == 0 || r == 0 {
					reached = placed(place, reached, e.Low)
					reached = placed(place, reached, e.High)
					l, r = place[e.Low/runIDs], place[e.High/runIDs]
				}
				reached[l|e.Low/64%runWords] |= 1 << (e.Low & 63)
				reached[r|e.High/64%runWords] |= 1 << (e.High & 63)
			}
		}
	}
	s.reached = reached
	return found, nil
}

// thin reduces the reached ids lo <= id < hi to width of them, spread evenly, if there are
// more. It reports whether there were.
func thin(place []uint32, reached []uint64, lo, hi uint32, width int) bool {
	count := 0
	for word := lo / 64; word*64 < hi; word++ {
		at := place[word/runWords]
		if at == 0 {
			word |= runWords - 1
			continue
		}
		count += bits.OnesCount64(between(reached[at|word%runWords], word, lo, hi))
	}
	if count <= width {
		return false
	}
	due := 0 // count times how many more should have been kept by now
	for word := lo / 64; word*64 < hi; word++ {
		at := place[word/runWords]
		if at == 0 {
			word |= runWords - 1
			continue
		}
		all := &reached[at|word%runWords]
		for ids := between(*all, word, lo, hi); ids != 0; ids &= ids - 1 {
			if due += width; due < count {
				*all &^= ids & -ids
			} else {
				due -= count
			}
		}
	}
	return true
}

// placed makes room for the run of an id if it has none.
func placed(place []uint32, words []uint64, id uint32) []uint64 {
	if place[id/runIDs] == 0 {
		place[id/runIDs] = uint32(len(words))
		words = append(words, make([]uint64, runWords)...)
	}
	return words
}

// findAlive finds the nodes of a height that are reached and have a solution below: those
// that the assumptions leave.
func (s *Sweep) findAlive(h int) {
	d, alive := s.d, s.alive
	low, high := s.allowed(h)
	var canLow, canHigh uint32
	lowest := ^uint32(0)
	lo, hi := d.first[h], d.first[h+1]
	for word := lo / 64; word*64 < hi; word++ {
		if s.place[word/runWords] == 0 {
			word |= runWords - 1
			continue
		}
		at := s.at(word * 64)
		left := uint64(0)
		for ids := between(s.reached[at], word, lo, hi); ids != 0; ids &= ids - 1 {
			bit := bits.TrailingZeros64(ids)
			e := d.nodes[word<<6+uint32(bit)-2]
			if e.Low < low {
				e.Low = 0
			}
			if e.High < high {
				e.High = 0
			}
			l := uint32(alive[s.at(e.Low)]>>(e.Low&63)) & 1
			r := uint32(alive[s.at(e.High)]>>(e.High&63)) & 1
			canLow |= l
			canHigh |= r
			// A child that is not alive counts as the largest id.
			lowest = min(lowest, e.Low|(l-1), e.High|(r-1))
			left |= uint64(l|r) << bit
		}
		alive[at] |= left
	}
	s.seen[h], s.lowest[h] = uint8(canHigh)*canBeTrue|uint8(canLow)*canBeFalse, lowest
}

// rest returns the diagram without the nodes and edges that are not on a path to a
// solution under the assumptions; the nodes are renumbered. It is not reduced: an
// assumed level keeps its nodes. It is valid until the next call.
func (s *Sweep) rest(ctx context.Context) (*Diagram, error) {
	d := s.d
	if s.top < 0 {
		s.visited = len(d.nodes)
		return d, nil
	}
	if _, err := s.mark(ctx); err != nil {
		return nil, err
	}
	r := &s.left
	if r.first == nil {
		*r = Diagram{kind: d.kind, order: d.order, levels: d.levels,
			first: make([]uint32, len(d.first)), lowest: make([]uint32, len(d.lowest))}
	}
	s.before = append(s.before[:0], make([]uint32, len(s.alive))...)
	s.before[s.at(0)] = 1
	r.nodes, r.first[0] = r.nodes[:0], 2
	for h := range s.value {
		if err := s.ended(ctx); err != nil {
			return nil, err
		}
		s.copyAlive(h)
		r.first[h+1] = uint32(len(r.nodes)) + 2
	}
	r.root = s.renamed(d.root)
	return r, nil
}

// copyAlive copies the nodes of a height that the assumptions leave.
func (s *Sweep) copyAlive(h int) {
	d, r := s.d, &s.left
	low, high := s.allowed(h)
	from := len(r.nodes)
	lo, hi := d.first[h], d.first[h+1]
	for word := lo / 64; word*64 < hi; word++ {
		if s.place[word/runWords] == 0 {
			word |= runWords - 1
			continue
		}
		at := s.at(word * 64)
		if word<<6 >= lo { // otherwise it began on the level below
			s.before[at] = uint32(len(r.nodes)) + 2
		}
		for ids := between(s.alive[at], word, lo, hi); ids != 0; ids &= ids - 1 {
			e := d.nodes[word<<6+uint32(bits.TrailingZeros64(ids))-2]
			if e.Low < low {
				e.Low = 0
			}
			if e.High < high {
				e.High = 0
			}
			r.nodes = append(r.nodes, Edges{s.renamed(e.Low), s.renamed(e.High)})
		}
	}
	r.lowest[h] = lowestChild(r.nodes[from:])
}

// renamed returns the new id of a reached node in the rest, 0 if it has none.
func (s *Sweep) renamed(id uint32) uint32 {
	at := s.at(id)
	alive, bit := s.alive[at], id&63
	if alive>>bit&1 == 0 {
		return 0
	}
	return s.before[at] + uint32(bits.OnesCount64(alive&(1<<bit-1)))
}

// allowed returns the lowest low and high child that the assumptions leave to nodes at
// height h; children below count as 0.
func (s *Sweep) allowed(h int) (low, high uint32) {
	const none = ^uint32(0)
	low, high = s.floor[h], s.floor[h]
	if s.value[h] > 0 {
		low = none
	}
	if s.value[h] < 0 {
		high = none
	}
	return low, high
}

// ended returns an error if the context has ended.
func (s *Sweep) ended(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("robdd: walking a diagram of %d nodes: %w", len(s.d.nodes), err)
	}
	return nil
}

// Visited returns how many nodes the last question visited: those that its assumptions
// reach, or all nodes without assumptions. A pass counts a node once; [Sweep.Possible] may
// need several passes, and visits fewer nodes when it can.
func (s *Sweep) Visited() int { return s.visited }
