package mdd

import (
	"cmp"
	"context"
	"math/bits"

	"queens/backends"
	"queens/encode/cnf"
)

// The names of the methods.
const (
	Annotated = "annotated"
	Sweep     = "sweep"
	Openings  = "openings"
)

// In a session from the empty board on, [Openings] takes .9 of the CPU time of [Annotated] at n = 8 and 10, .75 at
// n = 12 and .5 at n = 14; filling its book takes a hundredth of the time to build. Keeping later answers, too, would
// take 1.4 times as long as [Annotated] at n = 8 and 10: looking up an answer takes as long as asking.

// Kind names this kind of diagram.
const Kind = "mdd"

// ways lists the methods, the best first, with whether they walk down to the terminal.
var ways = []backends.Way[bool]{
	{Method: backends.Method{
		Name: Annotated, Title: "MDD annotated", Kind: Kind, LargestBoard: 13,
		Doc: "ends at the last line that a question assumes something about, and reads from the nodes there what lies below",
	}},
	{Method: backends.Method{
		Name: Sweep, Title: "MDD sweep", Kind: Kind, LargestBoard: 12, Doc: "walks down to the terminal",
	}, Answer: true},
	{Method: backends.Method{
		Name: Openings, Title: "MDD openings", Kind: Kind, LargestBoard: 13, Remembers: true,
		Doc: "is annotated, and begins with the same answers as openings of search",
	}},
}

// Methods lists the ways to find the valid cells, the best first.
func Methods() []backends.Method { return backends.Methods(ways) }

// Prepare implements [backends.Preparer]: [Annotated] annotates the diagram, and [Openings] asks by it.
func (o *Oracle) Prepare(ctx context.Context, method string) error {
	way, err := backends.Choose(ways, "mdd", method)
	if err == nil && !way.Answer && o.below == nil {
		o.below, err = o.d.annotation(ctx)
	}
	if err != nil || way.Name != Openings {
		return err
	}
	return o.book.Fill(ctx)
}

// Valid implements [backends.Backend]. Its work is the number of nodes in the diagram, and the number of
// nodes that the question visited: those that it reached, including those whose annotation it read.
func (o *Oracle) Valid(ctx context.Context, assume []cnf.Lit, method string) (valid backends.Valid, err error) {
	way, err := backends.Choose(ways, "mdd", method)
	if err != nil {
		return backends.Valid{}, err
	}
	if err := o.Prepare(ctx, method); err != nil {
		return backends.Valid{}, err
	}
	whole, w := way.Answer, o.walk
	if way.Name == Openings {
		if valid, known, err := o.book.Answer(ctx, assume); known || err != nil {
			valid.Method, valid.Work = Openings, backends.Work{{Name: "nodes", N: int64(w.Len())}, {Name: "nodes visited"}}
			return valid, cmp.Or(err, ctx.Err())
		}
	}
	possible, err := o.ask(ctx, w, assume, true, whole)
	if err == nil && possible {
		possible, err = w.up(ctx)
	}
	switch {
	case err != nil:
		return backends.Valid{}, err
	case possible:
		valid = o.possible()
	}
	valid.Method = way.Name
	valid.Work = backends.Work{{Name: "nodes", N: int64(w.Len())}, {Name: "nodes visited", N: int64(w.visited)}}
	return valid, nil
}

// possible makes the answer from the values that the walk has shown and the variables that the annotation has
// below the nodes at which it ended. A line has exactly one true variable, so if only one is possible, it
// is forced.
func (o *Oracle) possible() backends.Valid {
	w := o.walk
	clear(o.image)
	if w.end < len(w.lines) {
		for _, at := range w.reached[w.end] {
			for i, vars := range o.below[id(at)*len(o.image):][:len(o.image)] {
				o.image[i] |= vars
			}
		}
	}
	for r, values := range w.shown[:w.end] {
		for ; values != 0; values &= values - 1 {
			add(o.image, w.lines[r][bits.TrailingZeros64(values)])
		}
	}
	set, most := o.image, 0
	if w.turn != &w.turns[0] {
		set = o.set
		clear(set)
		for i, vars := range o.image {
			for ; vars != 0; vars &= vars - 1 {
				add(set, w.turn.back[i<<6|bits.TrailingZeros64(vars)])
			}
		}
	}
	for _, vars := range set {
		most += bits.OnesCount64(vars)
	}
	place, inLine := w.place, o.inLine
	clear(inLine)
	vars := make([]cnf.Var, most+len(w.lines)) // for both slices
	possible, forced := vars[:0:most], vars[most:most]
	for i, vars := range set {
		for ; vars != 0; vars &= vars - 1 {
			v := i<<6 | bits.TrailingZeros64(vars)
			possible = append(possible, cnf.Var(v+1))
			inLine[place[v].level]++
		}
	}
	for _, v := range possible {
		if inLine[place[v-1].level] == 1 {
			forced = append(forced, v)
		}
	}
	return backends.Valid{Satisfiable: true, Possible: possible, Forced: forced}
}
