package robdd

// Questions that need no Diagram. For counts, solutions and possible literals,
// freeze the function and ask the Diagram.

// NodeCount returns the number of nodes of the functions together, shared ones
// counted once, terminals not counted.
func (m *Manager) NodeCount(fs ...Node) int { return m.reach(m.insides(fs)...) }
