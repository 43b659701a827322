package robdd

// What assumptions leave of a diagram when they reach only a few dozen of its nodes. Then
// neither nodes nor words of sets are what a question costs, but memory that is in no cache:
// working memory in proportion to the diagram, and each new line of it. So the nodes met are
// kept in one short list, linked by height, and a node's children are read as soon as it is
// met, long before they are needed. Beyond the nodes themselves this touches four bytes for
// each level and twenty for each node met.

// met is a node that the root reaches. The terminals have the first two places.
type met struct {
	id        uint32
	low, high uint32 // the children; once the node has been left: their places, 0 if not allowed
	height    int32
	next      uint8 // the place of another node of the same height, 0 if there is none
	alive     bool  // a solution lies below it
}

// maxFew is the most nodes that fit, since places are bytes. Trying is worth it only if no
// more than 1/openPart of the variables are open.
const maxFew, openPart = 1<<8 - 2, 3

// lookAtFew finds what Look finds, unless the root reaches more than s.few nodes: then it
// gives up, which costs less than a tenth of what follows, and is not counted as visiting
// them.
func (s *Sweep) lookAtFew() (satisfiable, done bool) {
	d, levels := s.d, len(s.value)
	if !s.Selective() || s.open > s.mostOpen {
		return false, false
	}
	if s.head == nil {
		s.head, s.met = make([]uint8, levels), make([]met, 0, 64)
	}
	clear(s.head)
	s.met = append(s.met[:0], met{height: -1}, met{id: 1, height: -1, alive: true})
	next, floor := s.nextFloor(levels)
	root := s.meet(levels, floor, d.root)
	for h := levels - 1; h >= 0; h-- {
		if h == next {
			next, floor = s.nextFloor(h)
		}
		for i := s.head[h]; i != 0; i = s.met[i].next {
			low, high := s.met[i].low, s.met[i].high
			if s.value[h] > 0 {
				low = 0
			}
			if s.value[h] < 0 {
				high = 0
			}
			low, high = s.meet(h, floor, low), s.meet(h, floor, high)
			if len(s.met) > s.few+2 {
				return false, false
			}
			s.met[i].low, s.met[i].high = low, high
		}
	}
	s.visited = len(s.met) - 2
	s.lookUp()
	if !s.met[root].alive {
		return false, true
	}
	s.lookPast(int(s.met[root].height))
	return true, true
}

// nextFloor returns the highest height below h that is assumed true, -1 if there is none,
// and the lowest id to which an edge from above can lead: in a ZDD, one that skips that
// height says false there.
func (s *Sweep) nextFloor(h int) (next int, floor uint32) {
	for next = h - 1; next >= 0; next-- {
		if s.value[next] > 0 && s.d.kind == ZDD {
			return next, s.d.first[next]
		}
	}
	return next, 1
}

// meet returns the place of a child of a node at height h, which it adds if it is new, or 0
// if the child lies below floor.
func (s *Sweep) meet(h int, floor, id uint32) uint32 {
	if id < floor {
		return 0
	}
	if id == 1 {
		return 1
	}
	h = s.d.heightBelow(h, id)
	for i := s.head[h]; i != 0; i = s.met[i].next {
		if s.met[i].id == id {
			return uint32(i)
		}
	}
	place, e := len(s.met), s.d.nodes[id-2]
	s.met = append(s.met, met{id: id, low: e.Low, high: e.High, height: int32(h), next: s.head[h]})
	s.head[h] = uint8(place)
	return uint32(place)
}

// heightBelow returns the height of a node with id >= 2 below height h, most likely a little
// below.
func (d *Diagram) heightBelow(h int, id uint32) int {
	lo, hi := h-1, h // first[hi] > id, or hi is h
	for step := 1; d.first[lo] > id; step *= 2 {
		lo, hi = max(0, lo-step), lo
	}
	for lo+1 < hi {
		if middle := (lo + hi) / 2; d.first[middle] > id {
			hi = middle
		} else {
			lo = middle
		}
	}
	return lo
}

// lookUp finds the nodes that are alive, from the bottom up, and records in s.seen what
// their edges say about their own levels.
func (s *Sweep) lookUp() {
	for h, first := range s.head {
		var seen uint8
		for i := first; i != 0; i = s.met[i].next {
			node := &s.met[i]
			if s.met[node.low].alive {
				seen, node.alive = seen|canBeFalse, true
			}
			if s.met[node.high].alive {
				seen, node.alive = seen|canBeTrue, true
			}
		}
		s.seen[h] = seen
	}
}

// lookPast adds to s.seen what the edges between nodes that are alive say about the levels
// that they pass.
func (s *Sweep) lookPast(root int) {
	passed := root + 1 // the lowest height that an edge from above passes
	for h := len(s.head) - 1; h >= 0; h-- {
		if h >= passed {
			s.seen[h] |= s.between(h)
		}
		for i := s.head[h]; i != 0; i = s.met[i].next {
			for _, child := range [2]uint32{s.met[i].low, s.met[i].high} {
				if s.met[child].alive {
					passed = min(passed, int(s.met[child].height)+1)
				}
			}
		}
	}
}
