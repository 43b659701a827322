package robdd

import "iter"

// Marks: which nodes some roots reach.
//
// Marking goes down the levels, and on each level through its pages in the order of
// memory. So nodes are read in streams; what is touched here and there are the marks of
// the levels below, a bit a node.

// unmark clears all marks.
func (s *store) unmark() {
	for _, c := range s.chunks {
		clear(c.marks[:])
	}
	for level := range s.strays {
		s.strays[level] = s.strays[level][:0]
	}
}

func (s *store) mark(id uint32) {
	marks, bit := s.marksOf(id>>wordBits), uint64(1)<<(id&(wordSize-1))
	if *marks&bit != 0 {
		return
	}
	*marks |= bit
	if s.owner[id>>pageBits] == shared {
		level := s.levelOf(id)
		s.strays[level] = append(s.strays[level], id)
	}
}

func (s *store) marked(id uint32) bool {
	return *s.marksOf(id >> wordBits)>>(id&(wordSize-1))&1 != 0
}

// markAll marks what the roots reach, and nothing else but terminals.
func (s *store) markAll(roots []Node) {
	s.unmark()
	for _, f := range roots {
		s.mark(uint32(f))
	}
	for level := range s.own {
		s.markChildren(level, 0)
	}
}

// markChildren marks the children of a level's marked nodes, both of them or, with a
// value, those that it selects: 1 the high one, -1 the low one.
func (s *store) markChildren(level int, value int8) {
	for ids := range s.markedOn(level) {
		for _, id := range ids {
			e := s.at(id)
			if value <= 0 {
				s.mark(e.Low)
			}
			if value >= 0 {
				s.mark(e.High)
			}
		}
	}
}

// markedOn iterates over a level's marked nodes, some at a time.
func (s *store) markedOn(level int) iter.Seq[[]uint32] {
	return func(yield func([]uint32) bool) {
		for ids := range s.idsOn(uint32(level), s.marksOf) {
			if !yield(ids) {
				return
			}
		}
		if strays := s.strays[level]; len(strays) > 0 {
			yield(strays)
		}
	}
}
