package robdd

import (
	"context"
	"iter"
	"math/big"
	"math/bits"
	"math/rand/v2"
)

// Samples yields solutions under the assumptions without end: independent, uniform draws from all of
// them. If there are none, it yields nothing. One pass counts the solutions below every node; a sample
// is then a walk down that chooses each edge with a probability proportional to the solutions behind it.
// The slice is reused: clone a solution to keep it. An error is the last element.
func (c *Counter) Samples(ctx context.Context, assume []Lit, rng *rand.Rand) iter.Seq2[[]Lit, error] {
	return func(yield func([]Lit, error) bool) {
		r, high, err := c.edges(ctx, assume, rng)
		if err != nil {
			yield(nil, err)
			return
		}
		lits := make([]Lit, len(r.order))
		for r.root != 0 {
			if err := r.ended(ctx); err != nil {
				yield(nil, err)
				return
			}
			for i := range lits {
				lits[i] = -Lit(i + 1)
			}
			for h, id := len(lits), r.root; id != 1; {
				h = r.heightBelow(h, id)
				e := r.nodes[id-2]
				if id = e.Low; high(e) {
					v := r.order[len(lits)-1-h]
					lits[v-1], id = Lit(v), e.High
				}
			}
			if !yield(lits, nil) {
				return
			}
		}
	}
}

// edges returns the diagram that the assumptions leave, and a function that draws whether to take a
// node's high edge.
func (c *Counter) edges(
	ctx context.Context, assume []Lit, rng *rand.Rand,
) (r *Diagram, high func(Node) bool, err error) {
	if r, err = c.ask(ctx, assume); err != nil {
		return nil, nil, err
	}
	fits, err := c.countUp(ctx, r)
	if err != nil {
		return nil, nil, err
	}
	if fits {
		up := c.up
		return r, func(e Node) bool { return rng.Uint64N(up[e.Low]+up[e.High]) >= up[e.Low] }, nil
	}
	up, err := bigUp(ctx, r)
	var sum big.Int
	return r, func(e Node) bool {
		return uniform(rng, sum.Add(&up[e.Low], &up[e.High])).Cmp(&up[e.Low]) >= 0
	}, err
}

// uniform returns a random number from 0 to n-1: it draws random bits until they are below n.
func uniform(rng *rand.Rand, n *big.Int) *big.Int {
	words := make([]big.Word, len(n.Bits()))
	for x := new(big.Int); ; {
		for i := range words {
			words[i] = big.Word(rng.Uint64())
		}
		words[len(words)-1] &= 1<<(n.BitLen()-bits.UintSize*(len(words)-1)) - 1
		if x.SetBits(words).Cmp(n) < 0 {
			return x
		}
	}
}
