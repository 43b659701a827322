package robdd

import (
	"cmp"
	"context"
	"slices"
)

// Operations of two arguments: Bryant's apply, depth first with the operation
// cache. It suits small operations, whose nodes stay in the processor's caches. One
// that has taken depthLimit steps is given up and done again breadth first (see
// breadth.go); the nodes and cached results made so far are kept and met again.

// depthLimit is how many steps a depth-first operation may take.
const depthLimit = 1 << 12

// depthFirst runs an operation that may turn out too long. Long ones come in rows, so
// after one the next is allowed half as many steps, down to a sixteenth.
func (m *Manager) depthFirst(operation func() uint32) (result uint32, tooLong bool) {
	m.limit = max(m.depthLimit>>m.hasty, 1)
	result = operation()
	m.limit = 0
	switch {
	case m.err == errTooLong:
		m.hasty = min(m.hasty+1, 4)
		return failed, true
	case m.hasty > 0 && m.steps > m.depthLimit>>5:
		m.hasty-- // not so long after all; a tiny one says nothing
	}
	return result, false
}

// Op is a Boolean operation of two arguments: its truth table, f and g giving bit
// 2f+g.
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
	op &= 15
	m.begin(ctx)
	r, tooLong := m.depthFirst(func() uint32 { return m.apply(op, uint32(f), uint32(g)) })
	if tooLong {
		m.begin(ctx)
		switch easy := op == OpAnd || op == OpOr; {
		case easy && m.isCube(uint32(f)):
			r = m.withCube(op, uint32(g), uint32(f))
		case easy && m.isCube(uint32(g)):
			r = m.withCube(op, uint32(f), uint32(g))
		default:
			r = m.breadthFirst(op, uint32(f), uint32(g))
		}
	}
	return m.end(r)
}

// Not returns the complement of f.
func (m *Manager) Not(ctx context.Context, f Node) (Node, error) { return m.Apply(ctx, OpXor, f, True) }

// And returns f and g.
func (m *Manager) And(ctx context.Context, f, g Node) (Node, error) { return m.Apply(ctx, OpAnd, f, g) }

// Or returns f or g.
func (m *Manager) Or(ctx context.Context, f, g Node) (Node, error) { return m.Apply(ctx, OpOr, f, g) }

// Xor returns f or g, not both.
func (m *Manager) Xor(ctx context.Context, f, g Node) (Node, error) { return m.Apply(ctx, OpXor, f, g) }

// Nand returns not both f and g.
func (m *Manager) Nand(ctx context.Context, f, g Node) (Node, error) {
	return m.Apply(ctx, OpNand, f, g)
}

// Nor returns neither f nor g.
func (m *Manager) Nor(ctx context.Context, f, g Node) (Node, error) { return m.Apply(ctx, OpNor, f, g) }

// Imp returns f implies g.
func (m *Manager) Imp(ctx context.Context, f, g Node) (Node, error) { return m.Apply(ctx, OpImp, f, g) }

// Biimp returns f if and only if g.
func (m *Manager) Biimp(ctx context.Context, f, g Node) (Node, error) {
	return m.Apply(ctx, OpBiimp, f, g)
}

// Diff returns f and not g.
func (m *Manager) Diff(ctx context.Context, f, g Node) (Node, error) {
	return m.Apply(ctx, OpDiff, f, g)
}

// AndAll returns the conjunction of any number of functions, true of none. It
// conjoins those that start lowest in the order first, which keeps what is already
// there below what comes.
func (m *Manager) AndAll(ctx context.Context, fs ...Node) (Node, error) {
	fs = slices.Clone(fs)
	slices.SortStableFunc(fs, func(f, g Node) int { return cmp.Compare(m.levelOf(uint32(g)), m.levelOf(uint32(f))) })
	all := True
	for _, f := range fs {
		var err error
		if all, err = m.And(ctx, f, all); err != nil {
			return False, err
		}
	}
	return all, nil
}

// eval returns op of two constants.
func (op Op) eval(f, g uint32) uint32 { return uint32(op>>(2*f+g)) & 1 }

// commutes reports whether op(f, g) is op(g, f).
func (op Op) commutes() bool { return op>>1&1 == op>>2&1 }

// known returns op(f, g) where it takes no recursion, which is always the case for
// two constants: the constant op gives whatever one argument is, or an argument
// itself.
func (op Op) known(f, g uint32) (uint32, bool) {
	var when0, when1, other uint32 // the result when the other argument is 0 and 1
	switch {
	case f < 2:
		when0, when1, other = op.eval(f, 0), op.eval(f, 1), g
	case g < 2:
		when0, when1, other = op.eval(0, g), op.eval(1, g), f
	case f == g:
		when0, when1, other = op.eval(0, 0), op.eval(1, 1), f
	default:
		return 0, false
	}
	switch {
	case when0 == when1:
		return when0, true
	case when1 == 1:
		return other, true
	case other < 2:
		return 1 - other, true
	}
	return 0, false
}

func (m *Manager) apply(op Op, f, g uint32) uint32 {
	if r, ok := op.known(f, g); ok {
		return r
	}
	if f > g && op.commutes() {
		f, g = g, f
	}
	if !m.step() {
		return failed
	}
	key := keyOp + uint32(op)
	if e, ok := m.lookup(f, g, key); ok {
		return e.r
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
		m.remember(f, g, key, r)
	}
	return r
}
