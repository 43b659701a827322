package robdd

import (
	"context"
	"math/big"
	"math/bits"
	"slices"
)

// Counter counts solutions over a ZDD: all of them, and those with each variable true. In a ZDD a
// skipped level is a false variable, so the numbers simply add up. It keeps its working memory between
// questions. Only one goroutine at a time may use it.
//
// It counts in machine words, and starts again in big integers if a word overflows.
type Counter struct {
	under
	up   []uint64 // solutions below each node
	down []uint64 // paths from the root to each node
}

// NewCounter returns a Counter for a diagram; a BDD is converted first.
func NewCounter(d *Diagram) *Counter { return &Counter{under: newUnder(d.Convert(ZDD))} }

// Bytes returns the working memory that is kept between questions, in bytes.
func (c *Counter) Bytes() int64 { return c.under.Bytes() + 8*int64(cap(c.up)+cap(c.down)) }

// ask returns the diagram that the assumptions leave.
func (c *Counter) ask(ctx context.Context, assume []Lit) (*Diagram, error) {
	ok, err := c.assume(assume)
	switch {
	case err != nil:
		return nil, err
	case !ok:
		first := slices.Repeat([]uint32{2}, len(c.d.order)+1)
		return &Diagram{kind: ZDD, order: c.d.order, levels: c.d.levels, first: first}, nil
	case !c.some:
		return c.d, nil
	}
	return c.rest(ctx)
}

// Count returns the number of solutions under the assumptions.
func (c *Counter) Count(ctx context.Context, assume []Lit) (*big.Int, error) {
	r, err := c.ask(ctx, assume)
	if err != nil {
		return nil, err
	}
	fits, err := c.countUp(ctx, r)
	switch {
	case err != nil:
		return nil, err
	case !fits:
		up, err := bigUp(ctx, r)
		if err != nil {
			return nil, err
		}
		return &up[r.root], nil
	}
	return new(big.Int).SetUint64(c.up[r.root]), nil
}

// CountEach returns the number of solutions under the assumptions and, at index v-1, the number of those
// with variable v true. It makes one pass up, which counts the solutions below each node, and one down,
// which counts the paths from the root to it.
func (c *Counter) CountEach(ctx context.Context, assume []Lit) (total *big.Int, each []*big.Int, err error) {
	r, err := c.ask(ctx, assume)
	if err != nil {
		return nil, nil, err
	}
	fits, err := c.countUp(ctx, r)
	switch {
	case err != nil:
		return nil, nil, err
	case !fits:
		return bigEach(ctx, r)
	}
	numbers := make([]big.Int, len(r.order))
	each = make([]*big.Int, len(numbers))
	for i := range each {
		each[i] = &numbers[i]
	}
	// No sum or product can overflow: each is a number of solutions, or of paths to a node
	// that has one, and so at most the total.
	c.down = sized(c.down, r)
	clear(c.down)
	up, down := c.up, c.down
	down[r.root] = 1
	for h := len(r.order) - 1; h >= 0; h-- {
		if err := r.ended(ctx); err != nil {
			return nil, nil, err
		}
		sum, lo, hi := uint64(0), r.first[h], r.first[h+1]
		for i, e := range r.nodes[lo-2 : hi-2] {
			ways := down[lo+uint32(i)]
			down[e.Low] += ways
			down[e.High] += ways
			sum += ways * up[e.High]
		}
		numbers[r.order[len(r.order)-1-h]-1].SetUint64(sum)
	}
	return new(big.Int).SetUint64(up[r.root]), each, nil
}

// SatCount returns the number of assignments to all variables that make f true.
func (m *Manager) SatCount(f Func) *big.Int {
	n, err := NewCounter(m.Freeze(f)).Count(context.Background(), nil)
	if err != nil {
		panic(err) // cannot happen: no assumptions and no deadline
	}
	return n
}

// sized returns memory for one number per id. It reuses numbers if that is large enough.
func sized(numbers []uint64, r *Diagram) []uint64 {
	n := len(r.nodes) + 2
	if n > cap(numbers) {
		return make([]uint64, n)
	}
	return numbers[:n]
}

// countUp fills c.up. It returns false if some count does not fit.
func (c *Counter) countUp(ctx context.Context, r *Diagram) (fits bool, err error) {
	c.up = sized(c.up, r)
	up := c.up
	up[0], up[1] = 0, 1
	overflow := uint64(0)
	for h := range r.order {
		if err := r.ended(ctx); err != nil {
			return false, err
		}
		lo, hi := r.first[h], r.first[h+1]
		for i, e := range r.nodes[lo-2 : hi-2] {
			sum, carry := bits.Add64(up[e.Low], up[e.High], 0)
			overflow |= carry
			up[lo+uint32(i)] = sum
		}
	}
	return overflow == 0, nil
}

// bigUp returns the number of solutions below each node.
func bigUp(ctx context.Context, r *Diagram) ([]big.Int, error) {
	up := make([]big.Int, len(r.nodes)+2)
	up[1].SetUint64(1)
	for i, e := range r.nodes {
		if i&0xffff == 0 && ctx.Err() != nil {
			return nil, r.ended(ctx)
		}
		up[i+2].Add(&up[e.Low], &up[e.High])
	}
	return up, nil
}

// bigEach is CountEach in big integers, on the diagram that the assumptions leave.
func bigEach(ctx context.Context, r *Diagram) (total *big.Int, each []*big.Int, err error) {
	up, err := bigUp(ctx, r)
	if err != nil {
		return nil, nil, err
	}
	down := make([]big.Int, len(up))
	down[r.root].SetUint64(1)
	each = make([]*big.Int, len(r.order))
	var through big.Int
	for h := len(r.order) - 1; h >= 0; h-- {
		if err := r.ended(ctx); err != nil {
			return nil, nil, err
		}
		sum := new(big.Int)
		for id := r.first[h]; id < r.first[h+1]; id++ {
			e := r.nodes[id-2]
			down[e.Low].Add(&down[e.Low], &down[id])
			down[e.High].Add(&down[e.High], &down[id])
			sum.Add(sum, through.Mul(&down[id], &up[e.High]))
		}
		each[r.order[len(r.order)-1-h]-1] = sum
	}
	return &up[r.root], each, nil
}
