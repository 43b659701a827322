package robdd

import (
	"context"
	"fmt"
)

// Quantification, and the relational product: the conjunction of two functions with
// variables quantified at the same time (Burch, Clarke, McMillan, Dill, Hwang,
// "Symbolic model checking: 10^20 states and beyond", 1990), depth first.

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
	return m.end(q.of(m.in(f), m.in(g)))
}

type quantifier struct {
	m    *Manager
	join Op
	gone []bool // by level
	last int    // levels from here on are not quantified
	key  Node
}

// of returns f and g, quantified.
func (q *quantifier) of(f, g Node) Node {
	m := q.m
	if f > g {
		f, g = g, f
	}
	if f == False || g == False {
		return False
	}
	if f == g || g == True {
		f, g = True, f
	}
	if g == True {
		return True
	}
	level := min(m.levelOf(f), m.levelOf(g))
	if int(level) >= q.last {
		return m.apply(OpAnd, f, g)
	}
	if !m.step() {
		return failed
	}
	r, hash, ok := m.lookup(g, f, q.key) // g is not a constant
	if ok {
		return r
	}
	f0, f1 := m.cofactors(f, level)
	g0, g1 := m.cofactors(g, level)
	r = q.of(f0, g0)
	if r == failed {
		return failed
	}
	if dominant := Node(q.join.eval(0, 1)); !q.gone[level] || r != dominant {
		high := q.of(f1, g1)
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
		m.remember(g, f, q.key, hash, r)
	}
	return r
}
