package bdd

import (
	"context"

	"queens/backends"
	"queens/encode/cnf"
	"queens/robdd"
)

// cofactors is the state of [Restrict] and [Session].
type cofactors struct {
	manager *robdd.Manager
	root    robdd.Func
	last    robdd.Func         // the cofactor of the last question of a session
	assumed map[robdd.Lit]bool // the assumptions of that question
}

// valid answers by [Restrict] or [Session]; without a cover, it makes a cofactor for each literal.
func (k *cofactors) valid(
	ctx context.Context, a *asker, d *robdd.Diagram, assume []cnf.Lit, session bool,
) (found backends.Valid, cost effort, err error) {
	value, consistent, err := assumed(ctx, a, assume)
	if err != nil || !consistent {
		return a.listed(false, nil), cost, err
	}
	if k.manager == nil {
		m, err := robdd.NewManager(d.Order(), robdd.Config{MaxBytes: a.compiled.limit})
		if err != nil {
			return found, cost, err
		}
		root, err := m.Thaw(ctx, d)
		if err != nil {
			return found, cost, err
		}
		*k = cofactors{manager: m, root: root, last: root}
	}
	m, before, f := k.manager, k.manager.Stats().Created, k.root
	known := map[robdd.Lit]bool{}
	if session && includes(value, k.assumed) {
		f, known = k.last, k.assumed
	}
	var further []robdd.Lit
	for _, l := range assume {
		if !known[robdd.Lit(l)] {
			further = append(further, robdd.Lit(l))
		}
	}
	if f, err = m.Restrict(ctx, f, further...); err != nil {
		return found, cost, err
	}
	if session {
		k.last, k.assumed = f, value
	}
	found = a.listed(f != robdd.False, func(l robdd.Lit) bool {
		if value[l] || value[-l] || err != nil {
			return value[l]
		}
		var g robdd.Func
		g, err = m.Restrict(ctx, f, l)
		return g != robdd.False
	})
	cost.created = m.Stats().Created - before
	return found, cost, err
}

// assumed returns the set of assumed literals, and whether it is consistent.
func assumed(ctx context.Context, a *asker, assume []cnf.Lit) (value map[robdd.Lit]bool, consistent bool, err error) {
	if err := a.check(ctx, assume); err != nil {
		return nil, false, err
	}
	value = make(map[robdd.Lit]bool, len(assume))
	for _, l := range assume {
		if value[-robdd.Lit(l)] {
			return nil, false, nil
		}
		value[robdd.Lit(l)] = true
	}
	return value, true, nil
}

// includes reports whether all literals of some are in all.
func includes(all, some map[robdd.Lit]bool) bool {
	for l := range some {
		if !all[l] {
			return false
		}
	}
	return true
}

// anySat answers by [AnySat]; without a cover, it looks for a solution with each literal.
func (a *asker) anySat(
	ctx context.Context, _ *robdd.Diagram, assume []cnf.Lit,
) (found backends.Valid, cost effort, err error) {
	if err = a.check(ctx, assume); err != nil {
		return found, cost, err
	}
	finder, err := a.finds(ctx)
	if err != nil {
		return found, cost, err
	}
	lits := plain(assume)
	can := func(further ...robdd.Lit) bool {
		if err != nil {
			return false
		}
		var solution []robdd.Lit
		solution, err = finder.Any(ctx, append(lits[:len(lits):len(lits)], further...))
		cost.visited += finder.Visited()
		return solution != nil
	}
	found = a.listed(can(), func(l robdd.Lit) bool { return can(l) })
	return found, cost, err
}

// allSat answers by [AllSat]. As its work it counts a node on each level for each solution.
func (a *asker) allSat(
	ctx context.Context, zdd *robdd.Diagram, assume []cnf.Lit,
) (found backends.Valid, cost effort, err error) {
	if err = a.check(ctx, assume); err != nil {
		return found, cost, err
	}
	words := zdd.Vars()/64 + 1
	var all []uint64 // a bit for each variable of each solution
	for solution, err := range zdd.Solutions(ctx, plain(assume)) {
		if err != nil {
			return found, cost, err
		}
		if bytes := int64(len(all)+words) * 8; a.compiled.limit > 0 && bytes > a.compiled.limit {
			return found, cost, &backends.LimitError{What: "bytes", Limit: a.compiled.limit, Want: bytes}
		}
		all = append(all, make([]uint64, words)...)
		bits := all[len(all)-words:]
		for _, l := range solution {
			if l > 0 {
				bits[l/64] |= 1 << (l % 64)
			}
		}
		cost.visited += zdd.Vars()
	}
	found = a.listed(len(all) > 0, func(l robdd.Lit) bool {
		v := l.Var()
		for i := int(v / 64); i < len(all); i += words {
			if all[i]>>(v%64)&1 == 1 == (l > 0) {
				return true
			}
		}
		return false
	})
	return found, cost, nil
}

// plain converts literals to those of the engine.
func plain(lits []cnf.Lit) []robdd.Lit {
	converted := make([]robdd.Lit, len(lits))
	for i, l := range lits {
		converted[i] = robdd.Lit(l)
	}
	return converted
}
