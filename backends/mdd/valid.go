package mdd

import (
	"context"
	"math/bits"

	"queens/backends"
	"queens/encode/cnf"
)

// The ways to find the valid cells.
const (
	// Annotated ends at the last line that a question assumes something about, and reads from the nodes
	// there what lies below.
	Annotated = "annotated"
	// Sweep walks down to the terminal.
	Sweep = "sweep"
)

// Methods lists the ways to find the valid cells, the best first.
func Methods() []string { return []string{Annotated, Sweep} }

// Valid implements [backends.Backend]. Its work is the number of nodes in the diagram, and the number of
// nodes that the question visited: those that it reached, including those whose annotation it read.
func (o *Oracle) Valid(ctx context.Context, assume []cnf.Lit, method string) (valid backends.Valid, err error) {
	if method, err = backends.Method(Methods(), "mdd", method); err != nil {
		return backends.Valid{}, err
	}
	w := o.walk
	var below []uint64
	if method == Annotated { // also if this question can do without: the first one pays for all
		if below, err = o.d.annotation(ctx); err != nil {
			return backends.Valid{}, err
		}
	}
	possible, err := o.ask(ctx, w, assume, true, method == Sweep)
	if err == nil && possible {
		err = w.up(ctx)
	}
	switch {
	case err != nil:
		return backends.Valid{}, err
	case possible && w.alive(0): // the root
		valid = o.possible(below)
	}
	valid.Method = method
	valid.Work = backends.Work{{Name: "nodes", N: int64(w.Len())}, {Name: "nodes visited", N: int64(w.visited)}}
	return valid, nil
}

// possible makes the answer from the values that the walk has shown and those that the annotation has
// below the nodes at which it ended. A line has exactly one true variable, so if only one is possible, it
// is forced.
func (o *Oracle) possible(below []uint64) backends.Valid {
	w := o.walk
	clear(o.set)
	if w.end < len(w.lines) {
		for _, id := range w.reached[w.end] {
			for i, values := range below[int(id)*len(o.set):][:len(o.set)] {
				o.set[i] |= values
			}
		}
	}
	for r, values := range w.shown[:w.end] {
		w.packing.add(o.set, r, values)
	}
	clear(o.can)
	clear(o.must)
	most := 0
	for r := range w.lines {
		at := w.packing.slots[r]
		values := o.set[at.word] >> at.shift & w.all[r]
		back, only := w.turn.back[at.first():], values&(values-1) == 0
		for ; values != 0; values &= values - 1 {
			v := uint(back[bits.TrailingZeros64(values)] - 1)
			o.can[v/64] |= 1 << (v % 64)
			if most++; only {
				o.must[v/64] |= 1 << (v % 64)
			}
		}
	}
	vars := make([]cnf.Var, most+len(w.lines)) // for both slices
	return backends.Valid{
		Satisfiable: true, Possible: listed(vars[:0:most], o.can), Forced: listed(vars[most:most], o.must),
	}
}

// listed appends the variables whose bits are set to vars.
func listed(vars []cnf.Var, set []uint64) []cnf.Var {
	for i, w := range set {
		for ; w != 0; w &= w - 1 {
			vars = append(vars, cnf.Var(i<<6|bits.TrailingZeros64(w))+1)
		}
	}
	return vars
}
