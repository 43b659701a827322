package explain

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"queens/backends"
	"queens/encode"
	"queens/encode/cnf"
)

// Question asks about one literal of a problem: on a board of queens, about a cell.
type Question struct {
	Literal cnf.Lit
	Given   []cnf.Lit // literals that may be to blame: placed queens, assumptions
	Always  []cnf.Lit // literals that hold as well and are never to blame: a board's blocked cells
	// Smallest is the work of looking for a blame with the fewest literals once a minimal one is found, in steps
	// of about half a microsecond; 0 means not to look. The search ends sooner when a blame is proved smallest.
	Smallest int64
}

// Explainer answers questions about one problem. It is not safe for concurrent use.
type Explainer struct {
	problem encode.Problem
	queens  bool // it is a board of queens
	solver  backends.Backend
	ladder  func() ladder // made when first needed: on large boards it takes longer than an answer
}

// New returns an Explainer. The solver answers for the problem, and a question's literals reach it as
// assumptions. A small core speeds up the search for the blame, but the core may also be all of the
// assumptions.
func New(p encode.Problem, solver backends.Backend) *Explainer {
	return &Explainer{p, p.IsQueens(), solver, sync.OnceValue(func() ladder { return ladder{newTrace(p)} })}
}

// Explain says why a literal can or cannot be true together with the given ones. It fails when the solver
// fails or the context ends.
func (x *Explainer) Explain(ctx context.Context, q Question) (Explanation, error) {
	if err := x.problem.CheckAssumptions(slices.Concat([]cnf.Lit{q.Literal}, q.Given, q.Always)); err != nil {
		return Explanation{}, err
	}
	fail := func(err error) (Explanation, error) {
		return Explanation{}, fmt.Errorf("explaining %s of %s: %w", literalName(x.problem, q.Literal), x.problem, err)
	}
	e := Explanation{Literal: q.Literal}
	if x.queens && slices.Contains(q.Given, q.Literal) {
		e.Verdict = HasQueen
		return e, nil
	}
	p, given := x.problem.With(q.Always...), others(q.Given, q.Literal)
	if direct(p, given, &e); x.queens && e.Verdict == IsBlocked {
		return e, nil
	}
	why := newInquiry(x.solver, p.AllVars(), func() ladder {
		l := x.ladder()
		l.problem.Fixed = p.Fixed
		return l
	}, q.Literal, q.Always, given)
	if e.Verdict == "" && e.Conflict == nil && e.ExcludedBy == nil {
		answer, err := x.solver.Solve(ctx, slices.Concat(q.Always, []cnf.Lit{q.Literal}, given))
		switch {
		case err != nil:
			return fail(err)
		case answer.Status == backends.Unknown:
			return fail(fmt.Errorf("the solver cannot tell whether %d literals can be true", 1+len(q.Always)+len(given)))
		}
		e.Witness = answer.Model
	}
	if e.Witness != nil {
		e.Verdict = IsValid
		if err := p.With(append(given, q.Literal)...).Verify(e.Witness); err != nil {
			return fail(fmt.Errorf("the solver's model is not a solution: %w", err))
		}
		return e, nil
	}
	if err := why.blame(ctx, &e, q.Smallest); err != nil {
		return fail(err)
	}
	e.Supposed = len(e.Steps) > 0
	if !x.queens { // of a board, people ask what a queen there would do
		if steps := why.ladder().forward(e.Blame, q.Literal); steps != nil {
			e.Steps, e.Supposed = steps, false
		}
	}
	return e, nil
}

// direct notes the first given literals that exclude each other, in the order in which they are given, and
// those that exclude the literal, each by a single constraint.
func direct(p encode.Problem, given []cnf.Lit, e *Explanation) {
	all := slices.Concat(p.Fixed, given)
	place := make([]int, 2*p.AllVars()) // by literal: its place among them, counted from 1; 0 for any other
	for i, l := range slices.Backward(all) {
		place[l.Index()] = i + 1
	}
	second, first := len(all)+1, 0 // places of the first two that exclude each other
	exclude := func(a, b int) {
		if a, b = min(a, b), max(a, b); 0 < a && a < b && (b < second || b == second && a < first) {
			second, first = b, a
		}
	}
	if place[e.Literal.Not().Index()] > 0 {
		e.Verdict = IsBlocked
	}
	for _, l := range given {
		exclude(place[l.Index()], place[l.Not().Index()])
	}
	excludes := make([]bool, 2*p.AllVars())
	for _, c := range p.Constraints {
		if !c.Excludes() {
			continue
		}
		var held []cnf.Lit
		for _, l := range c.Lits {
			if place[l.Index()] > 0 && l != e.Literal {
				held = append(held, l)
			}
		}
		slices.SortFunc(held, func(a, b cnf.Lit) int { return place[a.Index()] - place[b.Index()] })
		if len(held) > 1 {
			exclude(place[held[0].Index()], place[held[1].Index()])
		}
		if slices.Contains(c.Lits, e.Literal) {
			for _, l := range held {
				excludes[l.Index()] = true
			}
		}
	}
	if first > 0 {
		e.Conflict = slices.DeleteFunc([]cnf.Lit{all[first-1], all[second-1]}, func(l cnf.Lit) bool { return !slices.Contains(given, l) })
	}
	for _, g := range given {
		if excludes[g.Index()] {
			e.ExcludedBy = append(e.ExcludedBy, g)
		}
	}
}

// others returns the literals except a given one, each once.
func others(lits []cnf.Lit, without cnf.Lit) []cnf.Lit {
	seen := map[cnf.Lit]bool{without: true}
	return slices.DeleteFunc(slices.Clone(lits), func(l cnf.Lit) bool {
		known := seen[l]
		seen[l] = true
		return known
	})
}
