package robdd

import (
	"context"
	"iter"
)

// Finder finds one solution, by a walk down the ZDD that remembers dead ends. It keeps its
// working memory between questions. Only one goroutine at a time may use it.
type Finder struct {
	under
	ctx     context.Context
	dead    []uint64 // a bit for each id: no solution below
	ends    []uint32 // the dead ends
	lits    []Lit
	visited int
}

// NewFinder returns a Finder for a diagram; a BDD is converted first.
func NewFinder(d *Diagram) *Finder { return &Finder{under: newUnder(d.Convert(ZDD))} }

// Bytes returns the working memory that is kept between questions, in bytes.
func (f *Finder) Bytes() int64 {
	return f.under.Bytes() + 4*int64(cap(f.ends)+cap(f.lits)) + 8*int64(cap(f.dead))
}

// Any returns the first solution under the assumptions, in the order of [Diagram.Solutions], or nil if
// there is none. The slice is valid until the next call.
func (f *Finder) Any(ctx context.Context, assume []Lit) ([]Lit, error) {
	f.visited = 0
	ok, err := f.assume(assume)
	f.setFloor()
	if err == nil {
		err = f.d.ended(ctx)
	}
	if err != nil || !ok {
		return nil, err
	}
	levels := len(f.value)
	if f.lits == nil {
		f.lits, f.dead = make([]Lit, levels), make([]uint64, (len(f.d.nodes)+2)/64+1)
	}
	for _, id := range f.ends {
		f.dead[id/64] = 0
	}
	f.ends = f.ends[:0]
	for i := range f.lits {
		f.lits[i] = -Lit(i + 1)
	}
	f.ctx = ctx
	if f.walk(levels, f.d.root) {
		return f.lits, nil
	}
	return nil, f.d.ended(ctx)
}

// Visited returns how many nodes the last question visited.
func (f *Finder) Visited() int { return f.visited }

// walk reports whether a solution leads through an edge from a height to a node. If one does, walk sets
// the literals that are true below.
func (f *Finder) walk(h int, id uint32) bool {
	switch {
	case id < f.floor[h]:
		return false
	case id == 1:
		return true
	case f.dead[id/64]>>(id%64)&1 != 0:
		return false
	}
	if f.visited++; f.visited%(1<<14) == 0 && f.ctx.Err() != nil {
		return false
	}
	h = f.d.heightBelow(h, id)
	e := f.d.nodes[id-2]
	if f.value[h] >= 0 && e.High != 0 && f.walk(h, e.High) {
		v := f.d.order[len(f.value)-1-h]
		f.lits[v-1] = Lit(v)
		return true
	}
	if f.value[h] <= 0 && f.walk(h, e.Low) {
		return true
	}
	f.dead[id/64] |= 1 << (id % 64)
	f.ends = append(f.ends, id)
	return false
}

// Solutions iterates over the solutions under the assumptions, each once, as the
// literals of all variables: that of variable v at index v-1. They come in the order
// of the diagram's levels, true before false. The slice is reused: clone a solution
// to keep it. An error (a bad assumption, or the context's end) is the last element.
//
// It first makes the ZDD that the assumptions leave, so the walk never meets a dead end, and each
// solution costs at most one step per level.
func (d *Diagram) Solutions(ctx context.Context, assume []Lit) iter.Seq2[[]Lit, error] {
	return func(yield func([]Lit, error) bool) {
		r, err := NewCounter(d).ask(ctx, assume)
		if err != nil {
			yield(nil, err)
			return
		}
		if r.root != 0 {
			w := walker{d: r, ctx: ctx, yield: yield, lits: make([]Lit, len(r.order))}
			w.visit(len(r.order)-1, r.root)
		}
	}
}

type walker struct {
	d     *Diagram
	ctx   context.Context
	yield func([]Lit, error) bool
	lits  []Lit
	steps int
}

// visit extends the literals by every solution of a node, from height h down.
func (w *walker) visit(h int, id uint32) bool {
	if h < 0 {
		if w.steps++; w.steps&0xff == 0 && w.ctx.Err() != nil {
			w.yield(nil, w.ctx.Err())
			return false
		}
		return w.yield(w.lits, nil)
	}
	v := w.d.order[len(w.lits)-1-h]
	e := Node{Low: id} // an edge that skips this level
	if id >= w.d.first[h] {
		e = w.d.nodes[id-2]
	}
	if e.High != 0 {
		w.lits[v-1] = Lit(v)
		if !w.visit(h-1, e.High) {
			return false
		}
	}
	if e.Low != 0 {
		w.lits[v-1] = -Lit(v)
		return w.visit(h-1, e.Low)
	}
	return true
}
