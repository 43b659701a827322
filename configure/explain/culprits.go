package explain

import (
	"context"
	"fmt"
	"slices"

	"queens/backends"
	"queens/encode/cnf"
)

// culprits looks for a small set of literals that have no solution together: placed queens, assumed
// literals, switches of constraints. Every solution shows that at least one of the literals it lacks is
// to blame. So these sets of lacking literals bound the size of any blame from below.
//
// The work is bounded in steps, which are counted and never timed, so the result is the same on every machine.
type culprits struct {
	solver  backends.Backend
	asking  int64                          // steps that a question to the solver costs beside its own
	always  []cnf.Lit                      // literals that every solution must have
	all     []cnf.Lit                      // candidates for blame, each once
	refine  func(core []cnf.Lit) []cnf.Lit // drops literals that a solver merely looked at; may be nil
	lacking [][]cnf.Lit                    // what each solution found so far lacks
	cores   [][]cnf.Lit                    // sets found so far to have no solution
	left    int64                          // steps of work that are left
	// unjudged says that minimize kept a literal for want of work.
	unjudged bool
}

// minimalWork bounds the steps of looking for a minimal set of culprits. A step takes about half a microsecond.
const minimalWork = 200_000

// newCulprits returns culprits of a problem with the given number of variables.
func newCulprits(solver backends.Backend, vars int, always, all []cnf.Lit) culprits {
	return culprits{solver: solver, asking: int64(20 + vars/160), always: always, all: all, left: minimalWork}
}

// ask looks for a solution with the given literals. If there is none, the answer's core is a subset of them that
// has none either. Its status is Unknown if too little work is left.
func (c *culprits) ask(ctx context.Context, lits []cnf.Lit) (backends.Answer, error) {
	if c.left <= 0 {
		return backends.Answer{Status: backends.Unknown}, ctx.Err()
	}
	// No question may use up what all need.
	answer, steps, err := backends.SolveWithin(ctx, c.solver, slices.Concat(c.always, lits), uint64(c.left/16+1))
	c.left -= int64(steps) + c.asking
	answer.Core = c.among(answer.Core)
	return answer, err
}

// among returns the literals of a list that may be to blame.
func (c *culprits) among(list []cnf.Lit) []cnf.Lit {
	in := make(map[cnf.Lit]bool, len(list))
	for _, l := range list {
		in[l] = true
	}
	return slices.DeleteFunc(slices.Clone(c.all), func(l cnf.Lit) bool { return !in[l] })
}

func has(model []cnf.Lit, l cnf.Lit) bool { return model[l.Var()-1] == l }

// possible reports whether candidates have a solution. It asks only if that does not follow from earlier
// answers. If there is none, core is a subset of them that has none either.
func (c *culprits) possible(ctx context.Context, lits []cnf.Lit) (status backends.Status, core []cnf.Lit, err error) {
	for _, lacking := range c.lacking {
		if !slices.ContainsFunc(lits, func(l cnf.Lit) bool { return slices.Contains(lacking, l) }) {
			return backends.Sat, nil, nil
		}
	}
	for _, core := range c.cores {
		if !slices.ContainsFunc(core, func(l cnf.Lit) bool { return !slices.Contains(lits, l) }) {
			return backends.Unsat, core, nil
		}
	}
	answer, err := c.ask(ctx, lits)
	switch answer.Status {
	case backends.Sat:
		c.note(answer.Model)
	case backends.Unsat:
		c.cores = append(c.cores, answer.Core)
	}
	return answer.Status, answer.Core, err
}

// note records which candidates a solution lacks.
func (c *culprits) note(model []cnf.Lit) {
	c.lacking = append(c.lacking,
		slices.DeleteFunc(slices.Clone(c.all), func(l cnf.Lit) bool { return has(model, l) }))
}

// find returns a subset of literals that have no solution, and whether that subset is proved to be smallest.
// It is minimal if the work that is left suffices. Then find looks for a smaller one, by the given work.
func (c *culprits) find(ctx context.Context, lits []cnf.Lit, work int64) ([]cnf.Lit, bool, error) {
	minimal, err := c.minimize(ctx, lits)
	if err != nil {
		return nil, false, err
	}
	c.left = work
	return c.smallest(ctx, minimal)
}

// minimize removes literals for as long as the rest still has no solution: the deletion filter
// (Bakker et al., IJCAI 1993). After each success it continues with the core instead of the set. It keeps
// literals that it cannot judge by the work that is left.
func (c *culprits) minimize(ctx context.Context, lits []cnf.Lit) ([]cnf.Lit, error) {
	for i := 0; i < len(lits); {
		status, core, err := c.possible(ctx, slices.Delete(slices.Clone(lits), i, i+1))
		if err != nil {
			return nil, err
		}
		if status != backends.Unsat {
			c.unjudged = c.unjudged || status == backends.Unknown
			i++
			continue
		}
		if c.refine != nil {
			core = c.refine(core)
		}
		// The core contains every literal known to be needed, since without one of those there is a
		// solution. One that could not be judged may drop out, and i then passes over others.
		lits = core
	}
	return lits, nil
}

// smallest looks for a set with fewer literals than the given one, by implicit hitting sets
// (Ignatiev, Previti, Liffiton and Marques-Silva, CP 2015). It takes a smallest set that hits every set
// of lacking literals. Either this set has no solution, or a solution that contains it yields another set
// to hit. A set is proved smallest when it is such a hitting set, or when no hitting set is smaller.
func (c *culprits) smallest(ctx context.Context, found []cnf.Lit) ([]cnf.Lit, bool, error) {
	switch len(found) {
	case 0:
		return found, true, nil
	case 1:
		status, _, err := c.possible(ctx, nil)
		return found, status == backends.Sat, err
	}
	for {
		hitting := c.hittingSet(ctx, len(found)-1)
		if hitting == nil {
			return found, c.left > 0, ctx.Err()
		}
		answer, err := c.ask(ctx, hitting)
		switch {
		case err != nil:
			return nil, false, fmt.Errorf("looking for the fewest to blame: %w", err)
		case answer.Status == backends.Unknown:
			return found, false, nil
		case answer.Status == backends.Unsat:
			return hitting, true, nil
		}
		c.noteGrown(ctx, hitting, answer.Model)
	}
}

// noteGrown notes a solution that has the literals, after trying to extend it by more of the candidates:
// the fewer a solution lacks, the stronger its bound. It stops at an error, which the next query meets
// again.
func (c *culprits) noteGrown(ctx context.Context, lits, model []cnf.Lit) {
	for _, l := range c.all {
		if slices.Contains(lits, l) {
			continue
		}
		more := append(slices.Clip(lits), l)
		if !has(model, l) {
			answer, err := c.ask(ctx, more)
			if err != nil || answer.Status == backends.Unknown {
				break
			}
			if answer.Status == backends.Unsat {
				continue
			}
			model = answer.Model
		}
		lits = more
	}
	c.note(model)
}

// hittingSet returns a smallest set that hits every lacking set, or nil if every hitting set has more
// than limit literals, if no work is left, or if the context ends.
func (c *culprits) hittingSet(ctx context.Context, limit int) []cnf.Lit {
	chosen := []cnf.Lit{} // hits all of no lacking sets
	var extend func(room int) bool
	extend = func(room int) bool {
		if c.left -= 1 + int64(len(c.lacking))/4; c.left <= 0 || ctx.Err() != nil {
			return false
		}
		// Branch on the set not yet hit that has the fewest literals.
		var branch []cnf.Lit
		for _, lacking := range c.lacking {
			hit := slices.ContainsFunc(chosen, func(l cnf.Lit) bool { return slices.Contains(lacking, l) })
			if !hit && (branch == nil || len(lacking) < len(branch)) {
				branch = lacking
			}
		}
		if branch == nil || room == 0 {
			return branch == nil
		}
		for _, l := range branch {
			chosen = append(chosen, l)
			if extend(room - 1) {
				return true
			}
			chosen = chosen[:len(chosen)-1]
		}
		return false
	}
	for room := 1; room <= limit && c.left > 0; room++ {
		if extend(room) {
			return chosen
		}
	}
	return nil
}
