package robdd

import "context"

// The operation of three arguments (Brace, Rudell, Bryant 1990), depth first.

// Ite returns "if f then g else h".
func (m *Manager) Ite(ctx context.Context, f, g, h Node) (Node, error) {
	m.begin(ctx)
	return m.end(m.ite(m.in(f), m.in(g), m.in(h)))
}

func (m *Manager) ite(f, g, h Node) Node {
	if g == f {
		g = True
	}
	if h == f {
		h = False
	}
	switch {
	case f == True || g == h:
		return g
	case f == False:
		return h
	case g == True:
		return m.apply(OpOr, f, h)
	case g == False:
		return m.apply(OpDiff, h, f)
	case h == False:
		return m.apply(OpAnd, f, g)
	case h == True:
		return m.apply(OpImp, f, g)
	}
	if !m.step() {
		return failed
	}
	r, hash, ok := m.lookup(f, g, h)
	if ok {
		return r
	}
	level := min(m.levelOf(f), m.levelOf(g), m.levelOf(h))
	f0, f1 := m.cofactors(f, level)
	g0, g1 := m.cofactors(g, level)
	h0, h1 := m.cofactors(h, level)
	low := m.ite(f0, g0, h0)
	if low == failed {
		return failed
	}
	high := m.ite(f1, g1, h1)
	if high == failed {
		return failed
	}
	r = m.mk(level, low, high)
	if r != failed {
		m.remember(f, g, h, hash, r)
	}
	return r
}
