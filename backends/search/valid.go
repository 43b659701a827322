package search

import (
	"context"
	"slices"

	"queens/backends"
	"queens/encode/cnf"
)

// The methods for finding the values that variables can still take.
const (
	// Supports lists solutions until each literal that is still open has a support, which is a
	// solution with it; past a budget it looks for the supports that are missing one by one.
	Supports = "supports"
	// Reuse looks for one solution through each variable that no solution found
	// so far has shown, attacked or not: as records measured it.
	Reuse = "reuse"
	// PerCell looks for one solution through each variable, whatever is already
	// known.
	PerCell = "per-cell"
	// Enumerate visits every solution: the slowest where there are many, and the
	// simplest to trust.
	Enumerate = "enumerate"
)

// Methods lists the methods, the best first.
func Methods() []string { return []string{Supports, Reuse, PerCell, Enumerate} }

// Valid implements [backends.Backend]. Its work is the number of walks and
// their cost, in the units of [Oracle.Visited].
func (o *Oracle) Valid(ctx context.Context, assume []cnf.Lit, method string) (backends.Valid, error) {
	method, err := backends.Method(Methods(), "search", method)
	if err != nil {
		return backends.Valid{}, err
	}
	q := &question{Oracle: o, assume: assume, shown: make([]bool, 2*o.problem.NumVars()+1)}
	before := o.Visited()
	if err := q.ask(ctx, method); err != nil {
		return backends.Valid{}, err
	}
	answer := backends.Valid{
		Satisfiable: q.satisfiable, Method: method,
		Work: backends.Work{{Name: "walks", N: q.walks}, {Name: o.unit, N: int64(o.Visited() - before)}},
	}
	possible := 0
	for _, yes := range q.shown[q.at(1):] {
		if yes {
			possible++
		}
	}
	answer.Possible = slices.Grow([]cnf.Var(nil), possible)
	for v := cnf.Var(1); int(v) <= o.problem.NumVars(); v++ {
		if !q.shown[q.at(v.Pos())] {
			continue
		}
		answer.Possible = append(answer.Possible, v)
		if o.cover == nil && !q.shown[q.at(v.Neg())] {
			answer.Forced = append(answer.Forced, v)
		}
	}
	if o.cover != nil {
		answer.Forced = o.cover.Forced(answer.Possible)
	}
	return answer, nil
}

// question is one question about the values that variables can still take.
type question struct {
	*Oracle
	assume      []cnf.Lit
	satisfiable bool
	shown       []bool // true in some solution: by literal, from the negation of the last variable on
	held        []bool // memory of eachTrue
	walks       int64
}

func (q *question) at(l cnf.Lit) int { return len(q.shown)/2 + int(l) }

// ask shows every literal that is true in some solution. If the problem has a cover
// it skips negative literals, since the cover determines what is forced.
func (q *question) ask(ctx context.Context, method string) error {
	if method == Supports {
		return q.supports(ctx)
	}
	q.walks++
	if method == Enumerate {
		return q.each(ctx, q.assume, func(s partial) bool { q.show(s); return true })
	}
	if err := q.first(ctx, q.assume, q.show); err != nil || !q.satisfiable {
		return err
	}
	under := append(slices.Clone(q.assume), 0)
	for v := cnf.Var(1); int(v) <= q.problem.NumVars(); v++ {
		for _, l := range []cnf.Lit{v.Pos(), v.Neg()} {
			if l == v.Neg() && (q.cover != nil || !q.shown[q.at(v.Pos())]) {
				continue
			}
			if method == Reuse && q.shown[q.at(l)] {
				continue
			}
			under[len(q.assume)] = l
			q.walks++
			if err := q.first(ctx, under, q.show); err != nil {
				return err
			}
		}
	}
	return nil
}

// show notes the literals that are true in the solutions that s stands for.
func (q *question) show(s partial) {
	q.eachTrue(s, func(l cnf.Lit) { q.shown[q.at(l)] = true })
}

// eachTrue calls see with the literals that are true in some of the solutions that s stands for; with the
// positive ones only if the problem has a cover.
func (q *question) eachTrue(s partial, see func(cnf.Lit)) {
	q.satisfiable = true
	for _, v := range s.held {
		see(v.Pos())
	}
	for _, v := range s.free {
		see(v.Pos())
	}
	if q.cover != nil {
		return
	}
	if q.held == nil {
		q.held = make([]bool, q.problem.NumVars())
	}
	clear(q.held)
	for _, v := range s.held {
		q.held[v-1] = true
	}
	for i, yes := range q.held {
		if !yes {
			see(cnf.Var(i + 1).Neg())
		}
	}
}
