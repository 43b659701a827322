package robdd

// NodeCount returns the number of nodes of the functions together: shared nodes count once, terminals do
// not count.
func (m *Manager) NodeCount(fs ...Func) int { return m.reach(fs...) }

// reach marks the nodes that the functions reach. The mark is one plus the longest run of an edge to the
// node. It returns how many plain nodes these represent.
func (s *store) reach(fs ...Func) int {
	for _, c := range s.chunks {
		clear(c.seen[:])
	}
	plain := 0
	*s.seenOf(0), *s.seenOf(1) = 1, 1
	visit := func(f Func) {
		id := f.id()
		seen := s.seenOf(id)
		if *seen == 0 {
			s.stack = append(s.stack, id)
		}
		if own := uint16(f.run()) + 1; own > *seen {
			plain += int(own - *seen)
			*seen = own
		}
	}
	for _, f := range fs {
		visit(f)
		for len(s.stack) > 0 {
			n := s.at(s.stack[len(s.stack)-1])
			s.stack = s.stack[:len(s.stack)-1]
			visit(n.lowEdge())
			visit(n.highEdge())
		}
	}
	return plain
}

// seenOf returns a node's mark: 0 if the node is not reached.
func (s *store) seenOf(id uint32) *uint16 {
	return &s.chunks[id>>chunkBits].seen[id&(chunkSize-1)]
}
