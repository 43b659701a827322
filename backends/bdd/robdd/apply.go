package robdd

import "context"

// Operations of two arguments: Bryant's apply, depth first with the operation cache.
// Runs on edges let it skip levels:
//
//   - and: where the upper of the two arguments' nodes lies, the other one's run, or what is
//     left of it, is the only thing of either run that still matters. All levels above it are
//     false in the result where they are in either.
//   - any operation that is false for two false arguments: what two runs from the same
//     level have in common is a run of the result.
//
// Otherwise a run is a chain of nodes like any other.

// Op is a Boolean operation of two arguments: its truth table; the result for f and g
// is bit 2f+g.
type Op uint8

// The operations that depend on both arguments.
const (
	OpAnd   Op = 0b1000
	OpOr    Op = 0b1110
	OpXor   Op = 0b0110
	OpNand  Op = 0b0111
	OpNor   Op = 0b0001
	OpImp   Op = 0b1011 // f implies g
	OpBiimp Op = 0b1001 // f if and only if g
	OpDiff  Op = 0b0100 // f and not g
)

// Apply returns op(f, g).
func (m *Manager) Apply(ctx context.Context, op Op, f, g Node) (Node, error) {
	m.begin(ctx)
	return m.end(m.apply(op&15, m.in(f), m.in(g)))
}

// And returns f and g.
func (m *Manager) And(ctx context.Context, f, g Node) (Node, error) { return m.Apply(ctx, OpAnd, f, g) }

// Or returns f or g.
func (m *Manager) Or(ctx context.Context, f, g Node) (Node, error) { return m.Apply(ctx, OpOr, f, g) }

// eval returns op of two constants.
func (op Op) eval(f, g uint32) uint32 { return uint32(op>>(2*f+g)) & 1 }

// commutes reports whether op(f, g) is op(g, f).
func (op Op) commutes() bool { return op>>1&1 == op>>2&1 }

// known returns op(f, g) if it needs no recursion, as is always the case for two
// constants: the result is constant for any value of one argument, or is one of the
// arguments.
func (op Op) known(f, g Node) (Node, bool) {
	var when0, when1 uint32 // the result when the other argument is false and true
	var other Node
	switch {
	case f <= True:
		when0, when1, other = op.eval(f.id(), 0), op.eval(f.id(), 1), g
	case g <= True:
		when0, when1, other = op.eval(0, g.id()), op.eval(1, g.id()), f
	case f == g:
		when0, when1, other = op.eval(0, 0), op.eval(1, 1), f
	default:
		return False, false
	}
	switch {
	case when0 == when1:
		return Node(when0), true
	case when1 == 1:
		return other, true
	case other <= True:
		return 1 - other, true
	}
	return False, false
}

func (m *Manager) apply(op Op, f, g Node) Node {
	if op == OpAnd {
		return m.and(f, g)
	}
	if r, ok := op.known(f, g); ok {
		return r
	}
	if f > g && op.commutes() {
		f, g = g, f
	}
	fTop, gTop := m.levelOf(f), m.levelOf(g)
	top := min(fTop, gTop)
	if common := min(f.run(), g.run()); common > 0 && fTop == gTop && op&1 == 0 {
		r := m.apply(op, f-Node(common)<<32, g-Node(common)<<32)
		if r == failed {
			return failed
		}
		return m.zeros(r, top+common, top)
	}
	if !m.step() {
		return failed
	}
	key := Node(keyOp + uint32(op))
	r, hash, ok := m.lookup(f, g, key)
	if ok {
		return r
	}
	f0, f1, g0, g1 := f, f, g, g
	if fTop == top {
		f0, f1 = m.children(f)
	}
	if gTop == top {
		g0, g1 = m.children(g)
	}
	low := m.apply(op, f0, g0)
	if low == failed {
		return failed
	}
	high := m.apply(op, f1, g1)
	if high == failed {
		return failed
	}
	r = m.mk(top, low, high)
	if r != failed {
		m.remember(f, g, key, hash, r)
	}
	return r
}

// and returns f and g. It goes straight to the upper of their two nodes, and puts the
// zeros of the runs above that node back on the result.
func (m *Manager) and(f, g Node) Node {
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
	const key = Node(keyOp + uint32(OpAnd))
	r, hash, ok := m.lookup(f, g, key)
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
	m.remember(f, g, key, hash, r)
	return m.zeros(r, level, top)
}
