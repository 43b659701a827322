package bdd

import (
	"context"

	"queens/backends"
	"queens/encode/cnf"
	"queens/robdd"
)

// The ways in which the configurators in the student reports queried their diagram after each click.
// They are measured against the sweeps. They take the assumptions as they are, without propagation.
const (
	// Restrict computes the cofactor of the assumptions and, from it, one cofactor for each cell. The
	// cell is valid unless that is false.
	Restrict = "restrict"
	// Session works like restrict, but starts from the last question's cofactor if that question assumed
	// a part of this one.
	Session = "session"
	// AnySat looks for one solution with each cell.
	AnySat = "any-sat"
	// AllSat lists all solutions, and searches the list for each cell.
	AllSat = "all-sat"
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
) (found backends.Valid, created uint64, err error) {
	value, consistent, err := assumed(ctx, a, assume)
	if err != nil || !consistent {
		return a.listed(false, nil), 0, err
	}
	if k.manager == nil {
		m, err := robdd.NewManager(d.Order(), robdd.Config{MaxBytes: a.compiled.limit})
		if err != nil {
			return found, 0, err
		}
		root, err := m.Thaw(ctx, d)
		if err != nil {
			return found, 0, err
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
		return found, 0, err
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
	return found, m.Stats().Created - before, err
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
func anySat(ctx context.Context, a *asker, assume []cnf.Lit) (found backends.Valid, visited int, err error) {
	if err = a.check(ctx, assume); err != nil {
		return found, 0, err
	}
	finder, err := a.finds(ctx)
	if err != nil {
		return found, 0, err
	}
	lits := plain(assume)
	can := func(further ...robdd.Lit) bool {
		if err != nil {
			return false
		}
		var solution []robdd.Lit
		solution, err = finder.Any(ctx, append(lits[:len(lits):len(lits)], further...))
		visited += finder.Visited()
		return solution != nil
	}
	found = a.listed(can(), func(l robdd.Lit) bool { return can(l) })
	return found, visited, err
}

// allSat answers by [AllSat]. It visits a node on each level for each solution.
func allSat(
	ctx context.Context, a *asker, zdd *robdd.Diagram, assume []cnf.Lit,
) (found backends.Valid, visited int, err error) {
	if err = a.check(ctx, assume); err != nil {
		return found, 0, err
	}
	words := zdd.Vars()/64 + 1
	var all []uint64 // a bit for each variable of each solution
	for solution, err := range zdd.Solutions(ctx, plain(assume)) {
		if err != nil {
			return found, 0, err
		}
		if bytes := int64(len(all)+words) * 8; a.compiled.limit > 0 && bytes > a.compiled.limit {
			return found, 0, &robdd.LimitError{What: "bytes", Limit: a.compiled.limit, Want: bytes}
		}
		all = append(all, make([]uint64, words)...)
		bits := all[len(all)-words:]
		for _, l := range solution {
			if l > 0 {
				bits[l/64] |= 1 << (l % 64)
			}
		}
		visited += zdd.Vars()
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
	return found, visited, nil
}

// plain converts literals to those of the engine.
func plain(lits []cnf.Lit) []robdd.Lit {
	converted := make([]robdd.Lit, len(lits))
	for i, l := range lits {
		converted[i] = robdd.Lit(l)
	}
	return converted
}
