package explain

import (
	"context"
	"fmt"
	"slices"
	"time"

	"queens/backends"
	"queens/encode"
	"queens/encode/amo"
	"queens/encode/cnf"
)

// LiteralQuestion asks about one literal of any problem.
type LiteralQuestion struct {
	Assumed []cnf.Lit
	Literal cnf.Lit
	// Constraints asks for constraints to blame as well.
	Constraints bool
	// Smallest is how long to look for the smallest blame once a minimal one is found, first of literals,
	// then again of constraints; 0 means not at all.
	Smallest time.Duration
}

// Literal says why a literal can or cannot be true together with the assumed ones. Open opens a back-end
// for a problem: for p itself, or for another made of its constraints.
func Literal(
	ctx context.Context, p encode.Problem, open func(encode.Problem) (backends.Backend, error), q LiteralQuestion,
) (Reason, error) {
	fail := func(err error) (Reason, error) {
		return Reason{}, fmt.Errorf("explaining %s of %s: %w", literalName(p, q.Literal), p, err)
	}
	if err := p.CheckAssumptions(append([]cnf.Lit{q.Literal}, q.Assumed...)); err != nil {
		return Reason{}, err
	}
	solver, err := open(p)
	if err != nil {
		return fail(err)
	}
	r := Reason{Literal: q.Literal}
	assumed := others(q.Assumed, q.Literal)
	why := newInquiry(solver, func() ladder { return ladder{newTrace(p)} }, q.Literal, nil, assumed)
	if r.Witness, _, err = why.ask(ctx, assumed); err != nil {
		return fail(err)
	}
	if r.Witness != nil {
		r.Verdict = IsValid
		return r, p.With(append(assumed, q.Literal)...).Verify(r.Witness)
	}
	direct(p, assumed, &r)
	if err := why.blame(ctx, &r, q.Smallest); err != nil {
		return fail(err)
	}
	r.Supposed = len(r.Steps) > 0
	if steps := why.ladder().forward(r.Blame, q.Literal); steps != nil {
		r.Steps, r.Supposed = steps, false
	}
	if q.Constraints {
		r.Constraints, r.ConstraintsSmallest, err = constraints(ctx, p, open, r, q.Smallest)
	}
	if err != nil {
		return fail(err)
	}
	return r, nil
}

// direct notes the given literals that exclude each other, or the literal, in a single constraint.
func direct(p encode.Problem, given []cnf.Lit, r *Reason) {
	isGiven := make([]bool, 2*p.AllVars())
	for _, g := range slices.Concat(p.Fixed, given) {
		isGiven[g.Index()] = true
	}
	for _, g := range given {
		if r.Conflict == nil && isGiven[g.Not().Index()] {
			r.Conflict = slices.DeleteFunc([]cnf.Lit{g, g.Not()}, func(l cnf.Lit) bool { return !slices.Contains(given, l) })
		}
	}
	if isGiven[r.Literal.Not().Index()] {
		r.Verdict = IsBlocked
	}
	excludes := make([]bool, 2*p.AllVars())
	for _, c := range p.Constraints {
		if c.Bound == encode.AtLeastOne {
			continue
		}
		var held []cnf.Lit
		for _, l := range c.Lits {
			if isGiven[l.Index()] && l != r.Literal {
				held = append(held, l)
			}
		}
		if len(held) > 1 && r.Conflict == nil {
			r.Conflict = held[:2]
		}
		if slices.Contains(c.Lits, r.Literal) {
			for _, l := range held {
				excludes[l.Index()] = true
			}
		}
	}
	for _, g := range given {
		if excludes[g.Index()] {
			r.ExcludedBy = append(r.ExcludedBy, g)
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

// constraints looks for a small set of constraints that have no solution with the blamed literals. Each
// clause of a constraint gets the negation of a new variable, which switches the constraint on when it is
// assumed. If steps refute the literal, the search begins with their constraints.
func constraints(
	ctx context.Context, p encode.Problem, open func(encode.Problem) (backends.Backend, error), r Reason, within time.Duration,
) ([]int, bool, error) {
	switched := encode.Problem{Family: p.Family, Fixed: p.Fixed}
	switches := &culprits{always: append([]cnf.Lit{r.Literal}, r.Blame...)}
	vars := p.AllVars()
	for range p.Constraints {
		vars++
		switches.all = append(switches.all, cnf.Lit(vars))
	}
	for i, c := range p.Constraints {
		f := &cnf.Formula{Vars: vars} // auxiliary variables are new ones
		if c.Bound != encode.AtMostOne {
			f.Add(c.Lits...)
		}
		if c.Bound != encode.AtLeastOne {
			amo.Default(len(c.Lits)*(len(c.Lits)-1)/2).Encode(f, c.Lits)
		}
		for clause := range f.Clauses() {
			lits := append([]cnf.Lit{switches.all[i].Not()}, clause...)
			switched.Constraints = append(switched.Constraints, encode.Constraint{Lits: lits})
		}
		vars = f.Vars
	}
	switched.Names = make(encode.List, vars)
	solver, err := open(switched)
	if err != nil {
		return nil, false, err
	}
	switches.solver = solver
	core := []cnf.Lit{}
	for _, s := range r.Steps {
		core = append(core, switches.all[s.Constraint])
		for _, x := range s.Excluded {
			core = append(core, switches.all[x.Constraint])
		}
	}
	slices.Sort(core)
	if core = slices.Compact(core); len(core) == 0 {
		if _, core, err = switches.ask(ctx, switches.all); err != nil {
			return nil, false, err
		}
	}
	found, smallest, err := switches.find(ctx, core, within)
	slices.Sort(found)
	indices := make([]int, len(found))
	for i, l := range found {
		indices[i] = int(l) - p.AllVars() - 1
	}
	return indices, smallest, err
}
