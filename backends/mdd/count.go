package mdd

import (
	"context"
	"iter"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"unsafe"

	"queens/encode/cnf"
)

// Count implements [backends.Counter].
func (o *Oracle) Count(ctx context.Context, assume []cnf.Lit) (*big.Int, error) {
	c, err := o.counter(ctx)
	if err != nil {
		return nil, err
	}
	return c.count(ctx, o, assume)
}

// CountEach implements [backends.Counter].
func (o *Oracle) CountEach(ctx context.Context, assume []cnf.Lit) (total *big.Int, each []*big.Int, err error) {
	c, err := o.counter(ctx)
	if err != nil {
		return nil, nil, err
	}
	return c.countEach(ctx, o, assume)
}

// Samples implements [backends.Sampler]. A sample is a walk down that chooses each edge with a
// probability proportional to the solutions behind it.
func (o *Oracle) Samples(ctx context.Context, assume []cnf.Lit, seed uint64) iter.Seq2[[]cnf.Lit, error] {
	return func(yield func([]cnf.Lit, error) bool) {
		c, err := o.counter(ctx)
		if err == nil {
			err = c.samples(ctx, o, assume, rand.New(rand.NewPCG(seed, 0)), yield)
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

// counter is a tally, in machine words or in big integers.
type counter interface {
	count(context.Context, *Oracle, []cnf.Lit) (*big.Int, error)
	countEach(context.Context, *Oracle, []cnf.Lit) (*big.Int, []*big.Int, error)
	samples(context.Context, *Oracle, []cnf.Lit, *rand.Rand, func([]cnf.Lit, error) bool) error
	bytes() int64
}

// counter returns the tally: in words if the number of all solutions fits in one, since no count is
// larger.
func (o *Oracle) counter(ctx context.Context) (counter, error) {
	if o.counts == nil {
		words, fits, err := newTally(ctx, o.d, word(1))
		if err != nil {
			return nil, err
		}
		if o.counts = words; !fits {
			many, _, err := newTally(ctx, o.d, *(*large)(big.NewInt(1)))
			if err != nil {
				return nil, err
			}
			o.counts = many
		}
	}
	return o.counts, nil
}

// tally counts solutions in numbers of one type.
type tally[T any, P number[T]] struct {
	one  T
	up   []T // by id: the solutions below a node; the terminal's is one
	here []T // by id: the solutions under the assumptions, for nodes down to the last line with an assumption
	down []T // by id: the paths from the root to a node
}

func newTally[T any, P number[T]](ctx context.Context, d *Diagram, one T) (t *tally[T, P], fits bool, err error) {
	t, fits = &tally[T, P]{one: one, up: make([]T, d.ids())}, true
	t.up[id(d.first[len(d.lines)])] = one
	seen := 0
	for r := len(d.lines) - 1; r >= 0; r-- {
		for at, n := range d.level(r) {
			if seen&0xffff == 0 && ctx.Err() != nil {
				return nil, false, d.stopped(ctx.Err())
			}
			seen++
			for _, child := range n.children() {
				fits = P(&t.up[id(at)]).add(&t.up[id(child)]) && fits
			}
		}
	}
	return t, fits, nil
}

func (t *tally[T, P]) bytes() int64 {
	return int64(cap(t.up)+cap(t.here)+cap(t.down)) * int64(unsafe.Sizeof(t.one))
}

// weight returns the number of solutions under the assumptions below a node that the walk has reached.
func (t *tally[T, P]) weight(w *walk, level int, at uint32) P {
	if level >= w.last {
		return &t.up[id(at)]
	}
	return &t.here[id(at)]
}

// weigh counts the solutions below the nodes that the walk has reached, down to the last assumption.
func (t *tally[T, P]) weigh(ctx context.Context, w *walk) error {
	if t.here == nil {
		t.here = make([]T, len(t.up))
	}
	for r := w.last - 1; r >= 0; r-- {
		if err := ctx.Err(); err != nil {
			return w.stopped(err)
		}
		for _, at := range w.reached[r] {
			var sum T
			n := w.node(at)
			for values := n.values() & w.allowed[r]; values != 0; values &= values - 1 {
				P(&sum).add(t.weight(w, r+1, n.child(values&-values)))
			}
			t.here[id(at)] = sum
		}
	}
	return nil
}

func (t *tally[T, P]) count(ctx context.Context, o *Oracle, assume []cnf.Lit) (*big.Int, error) {
	possible, err := o.ask(ctx, o.walk, assume, true, false)
	if err == nil && possible {
		err = t.weigh(ctx, o.walk)
	}
	if err != nil || !possible {
		return new(big.Int), err
	}
	return new(big.Int).Set(t.weight(o.walk, 0, 0).big()), nil
}

// countEach makes one pass up, which counts the solutions below each node, and one down, which counts
// the paths from the root to it.
func (t *tally[T, P]) countEach(ctx context.Context, o *Oracle, assume []cnf.Lit) (*big.Int, []*big.Int, error) {
	w := o.walk
	possible, err := o.ask(ctx, w, assume, true, true)
	if err == nil && possible {
		err = t.weigh(ctx, w)
	}
	if err != nil {
		return nil, nil, err
	}
	each, total := make([]T, len(w.place)), new(big.Int) // by variable-1 of the image
	if possible {
		total.Set(t.weight(w, 0, 0).big())
		if err := t.spread(ctx, w, each); err != nil {
			return nil, nil, err
		}
	}
	counts := make([]*big.Int, len(each))
	for i, v := range w.turn.back {
		counts[v-1] = P(&each[i]).big()
	}
	return total, counts, nil
}

// spread adds, for every edge that the walk may take, the number of solutions through it to its
// variable's count.
func (t *tally[T, P]) spread(ctx context.Context, w *walk, each []T) error {
	if t.down == nil {
		t.down = make([]T, len(t.up))
	}
	var zero T
	for _, reached := range w.reached {
		for _, at := range reached {
			t.down[id(at)] = zero
		}
	}
	P(&t.down[0]).add(&t.one)
	for r, line := range w.lines {
		if err := ctx.Err(); err != nil {
			return w.stopped(err)
		}
		for _, at := range w.reached[r] {
			n := w.node(at)
			for values := n.values() & w.allowed[r]; values != 0; values &= values - 1 {
				child := n.child(values & -values)
				P(&t.down[id(child)]).add(&t.down[id(at)])
				P(&each[line[bits.TrailingZeros64(values)]-1]).addProduct(&t.down[id(at)], t.weight(w, r+1, child))
			}
		}
	}
	return nil
}

// samples yields samples until yield returns false. The Oracle may answer other questions meanwhile.
func (t *tally[T, P]) samples(
	ctx context.Context, o *Oracle, assume []cnf.Lit, rng *rand.Rand, yield func([]cnf.Lit, error) bool,
) error {
	w, own := newWalk(o.d), &tally[T, P]{one: t.one, up: t.up}
	possible, err := o.ask(ctx, w, assume, false, false)
	if err == nil && possible {
		err = own.weigh(ctx, w)
	}
	if err != nil || !possible || own.weight(w, 0, 0).big().Sign() == 0 {
		return err
	}
	for {
		if err := ctx.Err(); err != nil {
			return w.stopped(err)
		}
		model, at := cnf.Model(len(w.place)), uint32(0)
		for r, line := range w.lines {
			n, draw := w.node(at), own.weight(w, r, at).below(rng)
			for values := n.values() & w.allowed[r]; ; values &= values - 1 {
				at = n.child(values & -values)
				if own.weight(w, r+1, at).takes(&draw) {
					v := line[bits.TrailingZeros64(values)]
					model[v-1] = v.Pos()
					break
				}
			}
		}
		if !yield(model, nil) {
			return nil
		}
	}
}
