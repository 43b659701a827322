package robdd

import "context"

// Conjunction and disjunction: Bryant's apply, depth first with the operation cache.
// Runs on edges let a conjunction skip levels. It goes straight to the upper of the two arguments'
// nodes. A level above that node is false in the result if it lies in the run of either argument. At the
// node, only the rest of the other argument's run still matters. A disjunction treats a run as a chain
// of ordinary nodes.

// And returns f and g.
func (m *Manager) And(ctx context.Context, f, g Func) (Func, error) {
	m.begin(ctx)
	return m.end(m.and(f, g))
}

// Or returns f or g.
func (m *Manager) Or(ctx context.Context, f, g Func) (Func, error) {
	m.begin(ctx)
	return m.end(m.or(f, g))
}

func (m *Manager) or(f, g Func) Func {
	switch {
	case f == True || g == True:
		return True
	case f == False || f == g:
		return g
	case g == False:
		return f
	case f > g:
		f, g = g, f
	}
	top := min(m.levelOf(f), m.levelOf(g))
	if !m.step() {
		return failed
	}
	r, hash, ok := m.lookup(f, g, keyOr)
	if ok {
		return r
	}
	f0, f1 := m.cofactors(f, top)
	g0, g1 := m.cofactors(g, top)
	low := m.or(f0, g0)
	if low == failed {
		return failed
	}
	high := m.or(f1, g1)
	if high == failed {
		return failed
	}
	if r = m.mk(top, low, high); r != failed {
		m.remember(f, g, keyOr, hash, r)
	}
	return r
}

// and returns f and g. It goes straight to the upper of their two nodes, and puts the
// zeros of the runs above that node back on the result.
func (m *Manager) and(f, g Func) Func {
	switch {
	case f == False || g == False:
		return False
	case f == True || f == g:
		return g
	case g == True:
		return f
	}
	n, other := m.at(f.id()), m.at(g.id())
	level, below := uint32(n.level), uint32(other.level)
	if level > below || level == below && f.id() > g.id() {
		f, g, n, level, below = g, f, other, below, level
	}
	top := level - f.run()
	f = f.bare()
	if gTop := below - g.run(); gTop <= level {
		top = min(top, gTop)
		g = edge(g.id(), below-level)
	}
	if f == g { // includes true, which is below all levels
		return m.zeros(f, level, top)
	}
	if !m.step() {
		return failed
	}
	r, hash, ok := m.lookup(f, g, keyAnd)
	if ok {
		return m.zeros(r, level, top)
	}
	low, high := g, g
	if below == level || g.run() == below-level {
		low, high = m.children(g)
	}
	if low = m.and(n.lowEdge(), low); low == failed {
		return failed
	}
	if high = m.and(n.highEdge(), high); high == failed {
		return failed
	}
	if r = m.mk(level, low, high); r == failed {
		return failed
	}
	m.remember(f, g, keyAnd, hash, r)
	return m.zeros(r, level, top)
}
