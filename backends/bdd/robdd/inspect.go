package robdd

import "slices"

// Questions that need no Diagram. For counts, solutions and possible literals,
// freeze the function and ask a Sweep.

// walk visits every node that the roots reach, once, in no particular order. The
// marks are the collection's, which are free between collections; the stack holds at
// most one node a level and the roots.
func (m *Manager) walk(roots []Node, visit func(id uint32)) {
	for _, c := range m.chunks {
		clear(c.marks[:])
	}
	var stack []uint32
	push := func(id uint32) {
		if id >= 2 && !m.marked(id) {
			m.mark(id)
			stack = append(stack, id)
		}
	}
	for _, f := range roots {
		push(uint32(f))
	}
	for len(stack) > 0 {
		id := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		visit(id)
		e := m.at(id)
		push(e.Low)
		push(e.High)
	}
}

// NodeCount returns the number of nodes of the functions together, shared ones
// counted once, terminals not counted.
func (m *Manager) NodeCount(fs ...Node) int {
	n := 0
	m.walk(fs, func(uint32) { n++ })
	return n
}

// Widths returns the number of nodes of the functions together on each level, the
// top level first.
func (m *Manager) Widths(fs ...Node) []int {
	w := make([]int, len(m.order))
	m.walk(fs, func(id uint32) { w[m.levelOf(id)]++ })
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
