package robdd

import "slices"

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

// Support returns the variables that the functions depend on, in ascending order.
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
// top level first; variables that it leaves out may have either value. It reports
// false if f is false.
func (m *Manager) AnySat(f Node) ([]Lit, bool) {
	var cube []Lit
	for f = m.in(f); f > True; {
		v := Lit(m.order[m.levelOf(f)])
		low, high := m.children(f)
		if f = high; f == False {
			f, v = low, -v
		}
		cube = append(cube, v)
	}
	return cube, f == True
}
