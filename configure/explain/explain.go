package explain

import (
	"context"
	"errors"
	"fmt"
	"slices"

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
	traced  *trace // see [inquiry.trace]
}

// New returns an Explainer. The solver answers for the problem, and a question's literals reach it as
// assumptions. A small core speeds up the search for the blame, but the core may also be all of the
// assumptions.
func New(p encode.Problem, solver backends.Backend) *Explainer {
	return &Explainer{problem: p, queens: p.IsQueens(), solver: solver}
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
	if e.direct(p, given); x.queens && e.Verdict == IsBlocked {
		return e, nil
	}
	if e.Verdict == "" && e.Conflict == nil && e.ExcludedBy == nil {
		answer, err := x.solver.Solve(ctx, slices.Concat(q.Always, []cnf.Lit{q.Literal}, given))
		switch {
		case err != nil:
			return fail(err)
		case answer.Status == backends.Unknown:
			return fail(fmt.Errorf("the solver cannot tell whether %d literals can be true", 1+len(q.Always)+len(given)))
		case answer.Status == backends.Sat:
			e.Verdict, e.Witness = IsValid, answer.Model
			if err := p.With(append(given, q.Literal)...).Verify(e.Witness); err != nil {
				return fail(fmt.Errorf("the solver's model is not a solution: %w", err))
			}
			return e, nil
		}
	}
	why := newInquiry(x, p, q, given)
	if err := why.blame(ctx, &e, q.Smallest); err != nil {
		return fail(err)
	}
	e.Supposed = len(e.Steps) > 0
	if !x.queens { // of a board, people ask what a queen there would do
		if steps := why.trace().forward(e.Blame, q.Literal); steps != nil {
			e.Steps, e.Supposed = steps, false
		}
	}
	return e, nil
}

// Contradiction finds the first given literal that cannot be true together with those before it, and says which of these
// rule it out; see [Question.Smallest]. If all can be true together, the explanation has a witness. If the problem alone has
// no solution, the explanation has no literal.
func (x *Explainer) Contradiction(ctx context.Context, given []cnf.Lit, smallest int64) (Explanation, error) {
	answer, err := x.solver.Solve(ctx, nil)
	if err == nil && answer.Status == backends.Unknown {
		err = errors.New("the solver cannot tell")
	}
	if err != nil {
		return Explanation{}, fmt.Errorf("looking for a solution of %s: %w", x.problem, err)
	}
	if answer.Status == backends.Unsat {
		return Explanation{Verdict: IsUnsatisfiable}, nil
	}
	solution := answer.Model
	for i, l := range given {
		if slices.Contains(solution, l) {
			continue
		}
		e, err := x.Explain(ctx, Question{Literal: l, Given: given[:i], Smallest: smallest})
		if err != nil || e.Witness == nil {
			return e, err
		}
		solution = e.Witness
	}
	return Explanation{Verdict: IsValid, Witness: solution}, nil
}

// direct notes the first given literals that exclude each other, in the order in which they are given, and
// those that exclude the literal, each by a single constraint.
func (e *Explanation) direct(p encode.Problem, given []cnf.Lit) {
	all := slices.Concat(p.Fixed, given)
	place := make([]int, 2*p.AllVars()) // by literal: its place among them, counted from 1; 0 for any other
	for i, l := range slices.Backward(all) {
		place[l.Index()] = i + 1
	}
	if place[e.Literal.Not().Index()] > 0 {
		e.Verdict = IsBlocked
	}
	var pair []int // places of the first two that exclude each other, the later one first
	exclude := func(lits ...cnf.Lit) {
		var held []int
		for _, l := range lits {
			if at := place[l.Index()]; at > 0 {
				held = append(held, at)
			}
		}
		if slices.Sort(held); len(held) > 1 && (pair == nil || slices.Compare([]int{held[1], held[0]}, pair) < 0) {
			pair = []int{held[1], held[0]}
		}
	}
	for _, l := range given {
		exclude(l, l.Not())
	}
	place[e.Literal.Index()] = 0
	var excluding []encode.Constraint // that have the literal
	for _, c := range p.Constraints {
		if c.Excludes() {
			if exclude(c.Lits...); slices.Contains(c.Lits, e.Literal) {
				excluding = append(excluding, c)
			}
		}
	}
	if pair != nil {
		e.Conflict = slices.DeleteFunc([]cnf.Lit{all[pair[1]-1], all[pair[0]-1]}, func(l cnf.Lit) bool { return !slices.Contains(given, l) })
	}
	for _, g := range given {
		if slices.ContainsFunc(excluding, func(c encode.Constraint) bool { return slices.Contains(c.Lits, g) }) {
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
