package explain

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"queens/backends"
	"queens/encode/cnf"
)

// culprits looks for a small set of literals that have no solution together: placed queens, assumed
// literals, switches of constraints. Every solution shows that at least one of the literals it lacks is
// to blame. So these sets of lacking literals bound the size of any blame from below.
type culprits struct {
	solver  backends.Backend
	always  []cnf.Lit                      // literals that every solution must have
	all     []cnf.Lit                      // candidates for blame, each once
	refine  func(core []cnf.Lit) []cnf.Lit // drops literals that a solver merely looked at; may be nil
	lacking [][]cnf.Lit                    // what each solution found so far lacks
	cores   [][]cnf.Lit                    // sets found so far to have no solution
}

// ask looks for a solution with the given literals. If there is none, model is nil, and core is a
// subset of them that has none either.
func (c *culprits) ask(ctx context.Context, lits []cnf.Lit) (model, core []cnf.Lit, err error) {
	answer, err := c.solver.Solve(ctx, slices.Concat(c.always, lits))
	switch {
	case err != nil:
		return nil, nil, err
	case answer.Status == backends.Unknown:
		return nil, nil, fmt.Errorf("the solver cannot tell whether %d literals can be true", len(c.always)+len(lits))
	case answer.Status == backends.Sat:
		return answer.Model, nil, nil
	}
	return nil, c.among(answer.Core), nil
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
func (c *culprits) possible(ctx context.Context, lits []cnf.Lit) (yes bool, core []cnf.Lit, err error) {
	for _, lacking := range c.lacking {
		if !slices.ContainsFunc(lits, func(l cnf.Lit) bool { return slices.Contains(lacking, l) }) {
			return true, nil, nil
		}
	}
	for _, core := range c.cores {
		if !slices.ContainsFunc(core, func(l cnf.Lit) bool { return !slices.Contains(lits, l) }) {
			return false, core, nil
		}
	}
	model, core, err := c.ask(ctx, lits)
	if model != nil {
		c.note(model)
	} else if err == nil {
		c.cores = append(c.cores, core)
	}
	return model != nil, core, err
}

// note records which candidates a solution lacks.
func (c *culprits) note(model []cnf.Lit) {
	c.lacking = append(c.lacking,
		slices.DeleteFunc(slices.Clone(c.all), func(l cnf.Lit) bool { return has(model, l) }))
}

// find returns a minimal subset of literals that have no solution, and whether that subset is proved to
// be smallest. After finding a minimal one, it looks for a smaller one for the given time.
func (c *culprits) find(ctx context.Context, lits []cnf.Lit, within time.Duration) ([]cnf.Lit, bool, error) {
	minimal, err := c.minimize(ctx, lits)
	if err != nil {
		return nil, false, err
	}
	return c.smallest(ctx, minimal, within)
}

// minimize removes literals for as long as the rest still has no solution: the deletion filter
// (Bakker et al., IJCAI 1993). After each success it continues with the core instead of the set.
func (c *culprits) minimize(ctx context.Context, lits []cnf.Lit) ([]cnf.Lit, error) {
	for i := 0; i < len(lits); {
		needed, core, err := c.possible(ctx, slices.Delete(slices.Clone(lits), i, i+1))
		if err != nil {
			return nil, err
		}
		if needed {
			i++
			continue
		}
		if c.refine != nil {
			core = c.refine(core)
		}
		// The core contains every literal known to be needed, since without one of those there is a
		// solution.
		lits = core
	}
	return lits, nil
}

// smallest looks for a set with fewer literals than the given minimal one, by implicit hitting sets
// (Ignatiev, Previti, Liffiton and Marques-Silva, CP 2015). It takes a smallest set that hits every set
// of lacking literals. Either this set has no solution, or a solution that contains it yields another set
// to hit. A set is proved smallest when it is such a hitting set, or when no hitting set is smaller.
func (c *culprits) smallest(ctx context.Context, minimal []cnf.Lit, within time.Duration) ([]cnf.Lit, bool, error) {
	if len(minimal) <= 1 {
		return minimal, true, nil
	}
	if within <= 0 {
		return minimal, false, nil
	}
	limited, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	for {
		hitting, err := c.hittingSet(limited, len(minimal)-1)
		if err == nil && hitting == nil {
			return minimal, true, nil
		}
		var model []cnf.Lit
		if err == nil {
			model, _, err = c.ask(limited, hitting)
		}
		switch {
		case ctx.Err() != nil:
			return nil, false, fmt.Errorf("looking for the fewest to blame: %w", ctx.Err())
		case errors.Is(err, context.DeadlineExceeded):
			return minimal, false, nil // no time left: still minimal
		case err != nil:
			return nil, false, err
		case model == nil:
			return hitting, true, nil
		}
		c.noteGrown(limited, hitting, model)
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
			larger, _, err := c.ask(ctx, more)
			if err != nil {
				break
			}
			if larger == nil {
				continue
			}
			model = larger
		}
		lits = more
	}
	c.note(model)
}

// hittingSet returns a smallest set that hits every lacking set, or nil if every hitting set has more
// than limit literals.
func (c *culprits) hittingSet(ctx context.Context, limit int) ([]cnf.Lit, error) {
	var chosen []cnf.Lit
	visited := 0
	var extend func(room int) (bool, error)
	extend = func(room int) (bool, error) {
		if visited++; visited%1024 == 0 && ctx.Err() != nil {
			return false, ctx.Err()
		}
		// Branch on the set not yet hit that has the fewest literals.
		var branch []cnf.Lit
		for _, lacking := range c.lacking {
			hit := slices.ContainsFunc(chosen, func(l cnf.Lit) bool { return slices.Contains(lacking, l) })
			if !hit && (branch == nil || len(lacking) < len(branch)) {
				branch = lacking
			}
		}
		if branch == nil {
			return true, nil
		}
		if room == 0 {
			return false, nil
		}
		for _, l := range branch {
			chosen = append(chosen, l)
			if found, err := extend(room - 1); found || err != nil {
				return found, err
			}
			chosen = chosen[:len(chosen)-1]
		}
		return false, nil
	}
	for room := 1; room <= limit; room++ {
		found, err := extend(room)
		if err != nil {
			return nil, err
		}
		if found {
			return chosen, nil
		}
	}
	return nil, nil
}
