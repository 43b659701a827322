package robdd

import (
	"context"
	"iter"
)

// Listing solutions. The walk visits only what the assumptions leave of the diagram,
// so it never meets a dead end, and each solution costs one step per level.

// Solutions iterates over the solutions under the assumptions, each once, as the
// literals of all variables: that of variable v at index v-1. They come in the order
// of the diagram's levels, true before false. The slice is reused: clone a solution
// to keep it. An error (a bad assumption, or the context's end) is the last element.
func (s *Sweep) Solutions(ctx context.Context, assume []Lit) iter.Seq2[[]Lit, error] {
	return func(yield func([]Lit, error) bool) {
		// The walk has its own working memory, so the caller may ask s other
		// questions inside the loop.
		walk := NewSweep(s.d)
		ok, err := walk.assume(assume)
		var rest *Diagram
		if err == nil && ok {
			rest, err = walk.rest(ctx)
		}
		if err != nil {
			yield(nil, err)
			return
		}
		if rest == nil || rest.root == 0 {
			return
		}
		w := walker{d: rest, value: walk.value, ctx: ctx, yield: yield, lits: make([]Lit, len(walk.value))}
		w.visit(len(walk.value)-1, rest.root)
	}
}

// Any returns the first of the solutions under the assumptions, or nil when there
// is none.
func (s *Sweep) Any(ctx context.Context, assume []Lit) ([]Lit, error) {
	for lits, err := range s.Solutions(ctx, assume) {
		return lits, err
	}
	return nil, nil
}

type walker struct {
	d     *Diagram
	value []int8 // by height: assumed true 1, false -1
	ctx   context.Context
	yield func([]Lit, error) bool
	lits  []Lit
	steps int
}

// visit extends the literals from height h down by every solution of a node.
func (w *walker) visit(h int, id uint32) bool {
	if h < 0 {
		if w.steps++; w.steps&0xff == 0 && w.ctx.Err() != nil {
			w.yield(nil, w.ctx.Err())
			return false
		}
		return w.yield(w.lits, nil)
	}
	v := w.d.order[len(w.value)-1-h]
	e := Edges{id, id} // a level that the function does not depend on
	if id >= w.d.first[h] && id >= 2 {
		e = w.d.nodes[id-2]
	} else if w.d.kind == ZDD {
		e.High = 0
	}
	if w.value[h] >= 0 && e.High != 0 {
		w.lits[v-1] = Lit(v)
		if !w.visit(h-1, e.High) {
			return false
		}
	}
	if w.value[h] <= 0 && e.Low != 0 {
		w.lits[v-1] = -Lit(v)
		if !w.visit(h-1, e.Low) {
			return false
		}
	}
	return true
}
