package robdd

import (
	"context"
	"fmt"
)

// Quantification, and the relational product: the conjunction of two functions with
// variables quantified away at once (Burch, Clarke, McMillan, Dill, Hwang, "Symbolic
// model checking: 10^20 states and beyond", 1990), depth first.

// Exists returns the disjunction of f over all values of the variables.
func (m *Manager) Exists(ctx context.Context, f Node, vars ...Var) (Node, error) {
	return m.quantify(ctx, OpOr, f, True, vars)
}

// Forall returns the conjunction of f over all values of the variables.
func (m *Manager) Forall(ctx context.Context, f Node, vars ...Var) (Node, error) {
	return m.quantify(ctx, OpAnd, f, True, vars)
}

// AndExists returns Exists(f and g) without making f and g: the relational product.
func (m *Manager) AndExists(ctx context.Context, f, g Node, vars ...Var) (Node, error) {
	return m.quantify(ctx, OpOr, f, g, vars)
}

func (m *Manager) quantify(ctx context.Context, join Op, f, g Node, vars []Var) (Node, error) {
	q := quantifier{m: m, join: join, gone: make([]bool, len(m.order))}
	for _, v := range vars {
		if v < 1 || int(v) > len(m.order) {
			return False, fmt.Errorf("robdd: quantifying variable %d: variables are 1..%d", v, len(m.order))
		}
		q.gone[m.levels[v-1]] = true
		q.last = max(q.last, int(m.levels[v-1])+1)
	}
	m.begin(ctx)
	q.key = m.newCall()
	return m.end(q.of(uint32(f), uint32(g)))
}

type quantifier struct {
	m    *Manager
	join Op
	gone []bool // by level
	last int    // levels from here on are not quantified
	key  uint32
}

// of returns f and g, quantified.
func (q *quantifier) of(f, g uint32) uint32 {
	m := q.m
	if f > g {
		f, g = g, f
	}
	if f == 0 || g == 1 {
		return f
	}
	if f == g {
		f = 1
	}
	level := min(m.levelOf(f), m.levelOf(g))
	if int(level) >= q.last {
		return m.apply(OpAnd, f, g)
	}
	if !m.step() {
		return failed
	}
	if e, ok := m.lookup(g, f, q.key); ok { // g is no terminal
		return e.r
	}
	a, b := m.cofactors(f, level), m.cofactors(g, level)
	r := q.of(a.Low, b.Low)
	if r == failed {
		return failed
	}
	if dominant := q.join.eval(0, 1); !q.gone[level] || r != dominant {
		high := q.of(a.High, b.High)
		switch {
		case high == failed:
			return failed
		case q.gone[level]:
			r = m.apply(q.join, r, high)
		default:
			r = m.mk(level, r, high)
		}
	}
	if r != failed {
		m.remember(g, f, q.key, r)
	}
	return r
}
