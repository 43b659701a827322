package search

import (
	"context"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"queens/encode"
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
			o.components.least = 2 + rng.IntN(4)
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
				if done := o.components.done; count.Sign() > 0 {
					require.InDelta(t, 1, done, 1e-9, "all is counted: seed %d, %d", seed, i)
				}
				require.Equal(t, visited.sum().String(), count.String(), "%s under %v, seed %d, %d", shape, assume, seed, i)
			}
		}
	}
}

// The share of the solutions that is counted grows, from one look to the next and in a count that goes on.
func TestCountedShareGrows(t *testing.T) {
	o, last, looks := New(encodetest.Make("grid", 81, 1, true)), 0.0, 0
	look := func(most uint64) func(uint64, float64) bool {
		last = 0
		return func(steps uint64, counted float64) bool {
			require.GreaterOrEqual(t, counted, last)
			require.LessOrEqual(t, counted, 1.0)
			last = counted
			looks++
			return steps < most
		}
	}
	begun, err := o.CountWhile(t.Context(), nil, look(100_000))
	require.NoError(t, err)
	require.Nil(t, begun)
	before := last
	count, err := o.CountWhile(t.Context(), nil, look(1<<40))
	require.NoError(t, err)
	require.Greater(t, last, before)
	require.Greater(t, looks, 4)
	whole, err := New(o.problem).Count(t.Context(), nil)
	require.NoError(t, err)
	require.Equal(t, whole, count)
}

// A clause of n literals, each of which needs a variable of its own, has 3^n - 2^n solutions: a literal and its variable
// take three pairs of values, and two of these if the literal is false. A clause that holds other long ones together is
// counted apart, too.
func TestLongClausesAreCountedApart(t *testing.T) {
	for _, n := range []int{2, longClause - 1, longClause, 300} {
		for _, copies := range []int{1, 3} { // linked by a clause of a literal from each
			p := encode.Problem{Names: make(encode.List, 2*n*copies)}
			var link []cnf.Lit
			for c := range copies {
				var long []cnf.Lit
				for i := range n {
					l := cnf.Lit(2*(c*n+i) + 1)
					long = append(long, l)
					p.Constraints = append(p.Constraints, encode.AtLeastOne("", l.Not(), l+1))
				}
				p.Constraints = append(p.Constraints, encode.AtLeastOne("", long...))
				link = append(link, long[0].Not())
			}
			p.Constraints = append(p.Constraints, encode.AtLeastOne("", link...))
			power := func(base int64, n int) *big.Int { return new(big.Int).Exp(big.NewInt(base), big.NewInt(int64(n)), nil) }
			each := new(big.Int).Sub(power(3, n), power(2, n))
			want := new(big.Int).Exp(each, big.NewInt(int64(copies)), nil)
			want.Sub(want, new(big.Int).Exp(power(3, n-1), big.NewInt(int64(copies)), nil)) // the first of each is true
			count, err := New(p).Count(t.Context(), nil)
			require.NoError(t, err)
			require.Equal(t, want, count, "%d literals, %d copies", n, copies)
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
