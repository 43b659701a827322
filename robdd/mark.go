package robdd

// NodeCount returns the number of nodes of the functions together, shared ones
// counted once, terminals not counted.
func (m *Manager) NodeCount(fs ...Node) int { return m.reach(fs...) }

// reach marks the nodes that the functions reach, each with the longest run of an edge to
// it plus one, and returns how many plain nodes they represent.
func (s *store) reach(fs ...Node) int {
	for _, c := range s.chunks {
		clear(c.seen[:])
	}
	plain := 0
	*s.seenOf(0), *s.seenOf(1) = 1, 1
	visit := func(f Node) {
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

// seenOf returns the mark of a node: 0 if it is not reached.
func (s *store) seenOf(id uint32) *uint16 {
	return &s.chunks[id>>chunkBits].seen[id&(chunkSize-1)]
}
