package robdd

import "context"

// Binary operations by Bryant's apply.

// Op is a Boolean operation of two arguments: its truth table, bit 2f+g.
type Op uint8

// The operations that depend on both arguments.
const (
	OpAnd   Op = 0b1000
	OpOr    Op = 0b1110
	OpXor   Op = 0b0110
	OpNand  Op = 0b0111
	OpNor   Op = 0b0001
	OpImp   Op = 0b1011
	OpBiimp Op = 0b1001
	OpDiff  Op = 0b0100
)

// Apply returns op(f, g).
func (m *Manager) Apply(ctx context.Context, op Op, f, g Node) (Node, error) {
	m.begin(ctx)
	return m.end(m.apply(op&15, uint32(f), uint32(g)))
}

// And returns f AND g.
func (m *Manager) And(ctx context.Context, f, g Node) (Node, error) { return m.Apply(ctx, OpAnd, f, g) }

// Or returns f OR g.
func (m *Manager) Or(ctx context.Context, f, g Node) (Node, error) { return m.Apply(ctx, OpOr, f, g) }

// Not returns NOT f.
func (m *Manager) Not(ctx context.Context, f Node) (Node, error) { return m.Apply(ctx, OpNand, f, f) }

func (op Op) eval(f, g uint32) uint32 { return uint32(op>>(2*f+g)) & 1 }

func (m *Manager) apply(op Op, f, g uint32) uint32 {
	if f < 2 && g < 2 {
		return op.eval(f, g)
	}
	if f < 2 {
		if a, b := op.eval(f, 0), op.eval(f, 1); a == b {
			return a
		} else if b == 1 {
			return g
		}
	}
	if g < 2 {
		if a, b := op.eval(0, g), op.eval(1, g); a == b {
			return a
		} else if b == 1 {
			return f
		}
	}
	if !m.step() {
		return failed
	}
	c := m.slot(f, g, uint32(op))
	if c.f == f && c.g == g && c.h == uint32(op) {
		m.stats.CacheHits++
		return c.r
	}
	lf, lg := m.levelOf(f), m.levelOf(g)
	level := min(lf, lg)
	f0, f1, g0, g1 := f, f, g, g
	if lf == level {
		e := m.at(f)
		f0, f1 = e.Low, e.High
	}
	if lg == level {
		e := m.at(g)
		g0, g1 = e.Low, e.High
	}
	low := m.apply(op, f0, g0)
	if low == failed {
		return failed
	}
	high := m.apply(op, f1, g1)
	if high == failed {
		return failed
	}
	r := m.mk(level, low, high)
	if r != failed {
		*c = entry{f, g, uint32(op), r}
	}
	return r
}
