package explain

import (
	"context"
	"fmt"
	"slices"

	"queens/backends"
	"queens/encode"
	"queens/encode/amo"
	"queens/encode/cnf"
)

// Constraints returns a small set of constraints, by index, that rule out the explanation's literal together with
// its blame; for the zero Explanation, constraints that have no solution together. It also says whether the set is
// minimal (no constraint in it can be spared), and whether it is proved that no smaller set suffices. It spends the given
// work on looking for a smaller set. If steps refute the literal, the search begins with their constraints.
//
// Open opens a back-end for a problem that is made of the constraints: each clause of a constraint gets the
// negation of a new variable, which switches the constraint on when it is assumed.
func Constraints(
	ctx context.Context, p encode.Problem, e Explanation, work int64,
	open func(encode.Problem) (backends.Backend, error),
) (indices []int, minimal, smallest bool, err error) {
	fail := func(err error) ([]int, bool, bool, error) {
		return nil, false, false, fmt.Errorf("looking for constraints of %s to blame: %w", p, err)
	}
	switched := encode.Problem{Family: p.Family, Fixed: p.Fixed}
	all := make([]cnf.Lit, len(p.Constraints)) // the switches
	for i := range all {
		all[i] = cnf.Lit(p.AllVars() + 1 + i)
	}
	vars := p.AllVars() + len(all)
	for i, c := range p.Constraints {
		f := &cnf.Formula{Vars: vars} // auxiliary variables are new ones
		c.Lower(f, amo.Default(len(c.Lits)*(len(c.Lits)-1)/2))
		for clause := range f.Clauses() {
			lits := append([]cnf.Lit{all[i].Not()}, clause...)
			switched.Constraints = append(switched.Constraints, encode.AtLeastOne("", lits...))
		}
		vars = f.Vars
	}
	switched.Names = make(encode.List, vars)
	solver, err := open(switched)
	if err != nil {
		return fail(err)
	}
	always := e.Blame
	if e.Literal != 0 {
		always = append([]cnf.Lit{e.Literal}, always...)
	}
	switches := newCulprits(solver, vars, always, all)
	core := []cnf.Lit{}
	for _, s := range e.Steps {
		core = append(core, all[s.Constraint])
		for _, x := range s.Excluded {
			core = append(core, all[x.Constraint])
		}
	}
	slices.Sort(core)
	if core = slices.Compact(core); len(core) == 0 {
		answer, err := solver.Solve(ctx, slices.Concat(switches.always, all))
		if err != nil {
			return fail(err)
		}
		core = switches.among(answer.Core)
	}
	found, smallest, err := switches.find(ctx, core, work)
	if err != nil {
		return fail(err)
	}
	slices.Sort(found)
	for _, l := range found {
		indices = append(indices, int(l)-p.AllVars()-1)
	}
	return indices, smallest || !switches.unjudged, smallest, nil
}
