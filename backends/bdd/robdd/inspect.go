package robdd

// Questions that need no Diagram. For counts, solutions and possible literals,
// freeze the function and ask a Sweep.

// NodeCount returns the number of nodes of the functions together, shared ones
// counted once, terminals not counted.
func (m *Manager) NodeCount(fs ...Node) int { return m.reach(m.insides(fs)...) }

// Widths returns the number of nodes of the functions together on each level, the
// top level first.
func (m *Manager) Widths(fs ...Node) []int {
	m.reach(m.insides(fs)...)
	w := make([]int, len(m.order)+1)
	for id := uint32(1); id < m.next; id++ {
		for run := range uint32(*m.seenOf(id)) {
			w[uint32(m.at(id).level)-run]++
		}
	}
	return w[:len(m.order)]
}
