package robdd

import "slices"

// Questions that need no Diagram. For counts, solutions and possible literals,
// freeze the function and ask a Sweep.

// NodeCount returns the number of nodes of the functions together, shared ones
// counted once, terminals not counted.
func (m *Manager) NodeCount(fs ...Node) int {
	n := 0
	for _, w := range m.Widths(fs...) {
		n += w
	}
	return n
}

// Widths returns the number of nodes of the functions together on each level, the
// top level first.
func (m *Manager) Widths(fs ...Node) []int {
	m.markAll(fs)
	w := make([]int, len(m.order))
	for level := range w {
		for ids := range m.markedOn(level) {
			w[level] += len(ids)
		}
	}
	return w
}

// Support returns the variables that the functions depend on, rising.
func (m *Manager) Support(fs ...Node) []Var {
	var vars []Var
	for level, w := range m.Widths(fs...) {
		if w > 0 {
			vars = append(vars, m.order[level])
		}
	}
	slices.Sort(vars)
	return vars
}

// AnySat returns a cube under which f is true: one literal for each node on a path,
// top level first; variables that it leaves out may be either. It returns false when
// f is.
func (m *Manager) AnySat(f Node) ([]Lit, bool) {
	var cube []Lit
	id := uint32(f)
	for id >= 2 {
		e, v := m.at(id), Lit(m.order[m.levelOf(id)])
		if id = e.High; id == 0 {
			id, v = e.Low, -v
		}
		cube = append(cube, v)
	}
	return cube, id == 1
}
