package search

import (
	"context"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"queens/encode/cnf"
	"queens/encode/encodetest"
)

// The count of a formula is the number of solutions that a walk visits, for successive sets of assumptions,
// also when the cache of counts is often emptied.
func TestComponentsCountWhatAWalkVisits(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	ctx := context.Background()
	for i, shape := range encodetest.Shapes() {
		for range 10 {
			p := encodetest.Make(shape, 16, rng.Uint64(), true)
			o := New(p)
			var err error
			o.components, err = newComponents(context.Background(), p)
			require.NoError(t, err)
			o.components.most = 1 << rng.IntN(14)
			for range 5 {
				var assume []cnf.Lit
				for v := range cnf.Var(p.NumVars()) {
					if l := (v + 1).Pos(); rng.IntN(6) == 0 {
						assume = append(assume, []cnf.Lit{l, l.Not()}[rng.IntN(2)])
					}
				}
				var visited tally
				each := func(s *partial) bool { visited.add(len(s.free)); return true }
				require.NoError(t, o.walk(ctx, assume, 0, every, each))
				count, err := o.Count(ctx, assume)
				require.NoError(t, err)
				require.Equal(t, visited.sum().String(), count.String(), "%s under %v, seed %d, %d", shape, assume, seed, i)
			}
		}
	}
}

// The assignments of one constraint are those that a walk over all of them finds.
func TestAssignments(t *testing.T) {
	for n := range 9 {
		for least := range n + 2 {
			for most := least; most <= n+1; most++ {
				count := int64(0)
				for set := range uint(1) << n {
					if trues := bits.OnesCount(set); least <= trues && trues <= most {
						count++
					}
				}
				require.Equal(t, count, assignments(n, least, most).Int64(), "%d to %d of %d", least, most, n)
			}
		}
	}
}

// A count that exceeds its limit returns nil, and leaves no wrong count in the cache.
func TestComponentsWithinALimit(t *testing.T) {
	p := encodetest.Make("local", 100, 1, true)
	ctx, cancel := context.WithCancel(context.Background())
	o := New(p)
	count, err := o.CountWithin(ctx, nil, 50_000)
	require.NoError(t, err)
	require.Nil(t, count)
	count, err = o.Count(ctx, nil)
	require.NoError(t, err)
	fresh, err := New(p).Count(ctx, nil)
	require.NoError(t, err)
	require.Equal(t, fresh, count)
	cancel()
	_, err = o.Count(ctx, nil)
	require.ErrorIs(t, err, context.Canceled)
	_, err = o.CountWithin(context.Background(), []cnf.Lit{1000}, 0)
	require.ErrorContains(t, err, "assumption 1000")
}
