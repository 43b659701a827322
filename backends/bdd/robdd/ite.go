package robdd

import "context"

// Ite returns "if f then g else h".
func (m *Manager) Ite(ctx context.Context, f, g, h Node) (Node, error) {
	m.begin(ctx)
	return m.end(m.ite(uint32(f), uint32(g), uint32(h)))
}

// The cache tells operations of two arguments from ite by their third word:
// there it is an operation's code below 2^5, here a node, shifted past them.
func (m *Manager) ite(f, g, h uint32) uint32 {
	switch {
	case f == 1 || g == h:
		return g
	case f == 0:
		return h
	case g == 1 && h == 0:
		return f
	case g < 2 || g == f:
		if g == 0 {
			return m.apply(0b0010, f, h) // NOT f AND h
		}
		return m.apply(OpOr, f, h)
	case h == 0 || h == f:
		return m.apply(OpAnd, f, g)
	case h == 1:
		return m.apply(OpImp, f, g)
	}
	low := m.apply(0b0010, f, h)
	if low == failed {
		return failed
	}
	high := m.apply(OpAnd, f, g)
	if high == failed {
		return failed
	}
	return m.apply(OpOr, low, high)
}
