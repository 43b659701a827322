package robdd

import "context"

// The operation of three arguments (Brace, Rudell, Bryant 1990), depth first. A long
// one becomes three operations of two arguments, which then go breadth first.

// Ite returns "if f then g else h".
func (m *Manager) Ite(ctx context.Context, f, g, h Node) (Node, error) {
	m.begin(ctx)
	r, tooLong := m.depthFirst(func() uint32 { return m.ite(uint32(f), uint32(g), uint32(h)) })
	if !tooLong {
		return m.end(r)
	}
	then, err := m.And(ctx, f, g)
	if err != nil {
		return False, err
	}
	otherwise, err := m.Diff(ctx, h, f)
	if err != nil {
		return False, err
	}
	return m.Or(ctx, then, otherwise)
}

func (m *Manager) ite(f, g, h uint32) uint32 {
	if g == f {
		g = 1
	}
	if h == f {
		h = 0
	}
	switch {
	case f == 1 || g == h:
		return g
	case f == 0:
		return h
	case g == 1:
		return m.apply(OpOr, f, h)
	case g == 0:
		return m.apply(OpDiff, h, f)
	case h == 0:
		return m.apply(OpAnd, f, g)
	case h == 1:
		return m.apply(OpImp, f, g)
	}
	if !m.step() {
		return failed
	}
	if e, ok := m.lookup(f, g, h); ok {
		return e.r
	}
	level := min(m.levelOf(f), m.levelOf(g), m.levelOf(h))
	a, b, c := m.cofactors(f, level), m.cofactors(g, level), m.cofactors(h, level)
	low := m.ite(a.Low, b.Low, c.Low)
	if low == failed {
		return failed
	}
	high := m.ite(a.High, b.High, c.High)
	if high == failed {
		return failed
	}
	r := m.mk(level, low, high)
	if r != failed {
		m.remember(f, g, h, r)
	}
	return r
}

// cofactors returns f with the variable on a level false and true; f lies on that
// level or below.
func (m *Manager) cofactors(f, level uint32) Edges {
	if m.levelOf(f) == level {
		return m.at(f)
	}
	return Edges{f, f}
}
