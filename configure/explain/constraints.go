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

// Constraints returns a minimal set of constraints, by index, that have no solution with the explanation's
// literal and its blame, and whether it is proved that no smaller set has none. It looks for a smaller set
// for the given time. Open opens a back-end for a problem that is made of the constraints: each clause of a
// constraint gets the negation of a new variable, which switches the constraint on when it is assumed. If
// steps refute the literal, the search begins with their constraints.
func Constraints(
	ctx context.Context, p encode.Problem, e Explanation, within time.Duration,
	open func(encode.Problem) (backends.Backend, error),
) ([]int, bool, error) {
	fail := func(err error) ([]int, bool, error) {
		return nil, false, fmt.Errorf("looking for constraints of %s that rule %s out: %w", p, literalName(p, e.Literal), err)
	}
	switched := encode.Problem{Family: p.Family, Fixed: p.Fixed}
	switches := &culprits{always: append([]cnf.Lit{e.Literal}, e.Blame...)}
	vars := p.AllVars()
	for range p.Constraints {
		vars++
		switches.all = append(switches.all, cnf.Lit(vars))
	}
	for i, c := range p.Constraints {
		f := &cnf.Formula{Vars: vars} // auxiliary variables are new ones
		if c.Least > 0 {
			f.Add(c.Lits...)
		}
		if c.Excludes() {
			amo.Default(len(c.Lits)*(len(c.Lits)-1)/2).Encode(f, c.Lits)
		}
		for clause := range f.Clauses() {
			lits := append([]cnf.Lit{switches.all[i].Not()}, clause...)
			switched.Constraints = append(switched.Constraints, encode.AtLeastOne("", lits...))
		}
		vars = f.Vars
	}
	switched.Names = make(encode.List, vars)
	solver, err := open(switched)
	if err != nil {
		return fail(err)
	}
	switches.solver = solver
	core := []cnf.Lit{}
	for _, s := range e.Steps {
		core = append(core, switches.all[s.Constraint])
		for _, x := range s.Excluded {
			core = append(core, switches.all[x.Constraint])
		}
	}
	slices.Sort(core)
	if core = slices.Compact(core); len(core) == 0 {
		if _, core, err = switches.ask(ctx, switches.all); err != nil {
			return fail(err)
		}
	}
	found, smallest, err := switches.find(ctx, core, within)
	if err != nil {
		return fail(err)
	}
	slices.Sort(found)
	indices := make([]int, len(found))
	for i, l := range found {
		indices[i] = int(l) - p.AllVars() - 1
	}
	return indices, smallest, nil
}
