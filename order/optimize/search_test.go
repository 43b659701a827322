package optimize

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/encode/cnf"
	"queens/order"
	"queens/robdd"
)

// The costs that a move stores for its new order are those that measure computes
// for it.
func TestMoveKeepsItsBooks(t *testing.T) {
	const seed = 3
	rng := rand.New(rand.NewPCG(seed, 0))
	for _, d := range []robdd.Kind{robdd.BDD, robdd.ZDD} {
		for _, n := range []int{1, 2, 4, 5, 7} {
			s := queens(t, n)
			a := newAnnealer(s, d, rng.IntN(2) == 0)
			st := a.measure(shuffled(rng, n*n))
			for range 300 {
				a.heat(rng.Float64() * 20)
				a.move(rng, st, cnf.Var(1+rng.IntN(n*n)))
				require.NoError(t, st.order.Check(n*n))
				require.Equal(t, a.measure(st.order), st, "seed %d %s n=%d", seed, d, n)
				require.Equal(t, s.Sizes(st.order).Of(d), a.sign*st.cost)
			}
		}
	}
}

// The sizes that a move computes, one for each place, are those of the orders;
// at temperature 0 it takes the smallest, or the largest.
func TestMoveKnowsEveryPlace(t *testing.T) {
	const seed = 4
	rng := rand.New(rand.NewPCG(seed, 0))
	s := queens(t, 6)
	for _, d := range []robdd.Kind{robdd.BDD, robdd.ZDD} {
		for _, largest := range []bool{false, true} {
			a := newAnnealer(s, d, largest)
			a.heat(0)
			for range 50 {
				st := a.measure(shuffled(rng, 36))
				best := st.cost
				a.move(rng, st, cnf.Var(1+rng.IntN(36)))
				for place, cost := range a.costs {
					o := append(append(append(st.order[:0:0], a.others[:place]...), st.order[0]), a.others[place:]...)
					o[place] = missing(a.others, 36)
					require.Equal(t, s.Sizes(o).Of(d), a.sign*cost, "seed %d", seed)
					best = min(best, cost)
				}
				require.Equal(t, best, st.cost)
			}
		}
	}
}

func missing(o []cnf.Var, n int) cnf.Var {
	sum := cnf.Var(n * (n + 1) / 2)
	for _, v := range o {
		sum -= v
	}
	return sum
}

// The seed and the number of evaluations determine a search, whatever the number of
// workers.
func TestSearchCanBeRepeated(t *testing.T) {
	const seed, evaluations = 5, 300_000
	ctx := context.Background()
	s := queens(t, 6)
	for _, opts := range []Options{
		{Diagram: robdd.BDD, Seed: seed},
		{Diagram: robdd.ZDD, Seed: seed},
		{Diagram: robdd.BDD, Seed: seed, Largest: true, Start: named(t, "spiral-in", 6)},
	} {
		whole := NewSearch(s, opts)
		require.NoError(t, whole.Run(ctx, evaluations, nil))
		o, nodes := whole.Best()
		require.NoError(t, o.Check(36))
		assert.Equal(t, s.Sizes(o).Of(opts.Diagram), nodes)

		// In parts, by more workers.
		opts.Workers = 3
		again := NewSearch(s, opts)
		for part := int64(1); part <= 5; part++ {
			require.NoError(t, again.Run(ctx, part*evaluations/5, nil))
		}
		assert.Equal(t, whole.Evaluations(), again.Evaluations())
		assert.Equal(t, held(whole), held(again))

		opts.Seed++
		other := NewSearch(s, opts)
		require.NoError(t, other.Run(context.Background(), evaluations/10, nil))
		assert.NotEqual(t, held(whole), held(other))
	}
}

// held returns the orders that a search's replicas hold, and the best one.
func held(s *Search) (orders []order.Order) {
	for _, r := range s.replica {
		orders = append(orders, r.order)
	}
	return append(orders, s.best.order)
}

// lookedAt is a context that ends after its error was checked a given number of
// times.
type lookedAt struct {
	context.Context
	left atomic.Int64
}

func (c *lookedAt) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// Where the minimum is proved, a short search finds it; and a search never
// returns anything worse than its start.
func TestSearchFindsTheMinimum(t *testing.T) {
	for n, want := range map[int]Sizes{1: {1, 1}, 2: {}, 3: {}, 4: {23, 8}, 5: {145, 40}, 6: {69, 24}} {
		s := queens(t, n)
		for _, d := range []robdd.Kind{robdd.BDD, robdd.ZDD} {
			search := NewSearch(s, Options{Diagram: d, Seed: 1, Workers: 2})
			err := search.Run(context.Background(), 2_000_000, func() error {
				if _, nodes := search.Best(); nodes <= want.Of(d) {
					return errEnough
				}
				return nil
			})
			_, nodes := search.Best()
			assert.Equal(t, want.Of(d), nodes, "n=%d %s: %v", n, d, err)
		}
	}
}

var errEnough = errors.New("enough")

func TestSearchBeatsRowMajor(t *testing.T) {
	s := queens(t, 8)
	search := NewSearch(s, Options{Seed: 1, Workers: 2})
	_, before := search.Best()
	assert.Equal(t, 2451, before)
	require.NoError(t, search.Run(context.Background(), 300_000, nil))
	o, nodes := search.Best()
	assert.Less(t, nodes, 2400)
	assert.Equal(t, nodes, s.Sizes(o).BDD)
}

// Upwards, it finds orders that are worse than any drawn at random.
func TestSearchForTheLargest(t *testing.T) {
	s := queens(t, 7)
	search := NewSearch(s, Options{Seed: 1, Largest: true})
	require.NoError(t, search.Run(context.Background(), 300_000, nil))
	o, nodes := search.Best()
	assert.Equal(t, nodes, s.Sizes(o).BDD)
	const seed = 13
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 1000 {
		require.Less(t, s.Sizes(shuffled(rng, 49)).BDD, nodes, "seed %d", seed)
	}
}

// A search with hardly any time returns its start, or a better order found in a
// step that was never finished.
func TestSearchKeepsWhatAnUnfinishedStepMet(t *testing.T) {
	s := queens(t, 8)
	search := NewSearch(s, Options{Seed: 1})
	ctx := &lookedAt{Context: context.Background()}
	ctx.left.Store(60)
	require.ErrorIs(t, search.Run(ctx, 1<<40, nil), context.Canceled)
	assert.Zero(t, search.moves)
	o, nodes := search.Best()
	assert.Less(t, nodes, 2451)
	assert.Equal(t, s.Sizes(o).BDD, nodes)
}

// A proof ends the search beside it, and an order that attains the minimum is the best. A search
// that ends first waits for it.
func TestProve(t *testing.T) {
	s := queens(t, 6)
	for _, evaluations := range []int64{1, 1 << 60} {
		search := NewSearch(s, Options{Seed: 1})
		optimal, err := search.Prove(context.Background(), 6, evaluations, nil)
		require.NoError(t, err)
		assert.True(t, optimal)
		o, nodes := search.Best()
		assert.Equal(t, 69, nodes)
		assert.Equal(t, 69, s.Sizes(o).BDD)
	}
}

// While a proof runs that does not end in time, the search finds the smallest known size.
func TestSearchGoesOnBesideAProof(t *testing.T) {
	s := queens(t, 5)
	found := errors.New("found")
	for seed := range uint64(3) {
		search := NewSearch(s, Options{Seed: seed})
		optimal, err := search.Prove(context.Background(), 5, 1<<60, func() error {
			if _, nodes := search.Best(); nodes == 145 {
				return found
			}
			return nil
		})
		require.ErrorIs(t, err, found)
		assert.False(t, optimal)
	}
}

// The best order is never larger than the known one, although the search does not start from that.
func TestKnownOrderIsToBeBeaten(t *testing.T) {
	s := queens(t, 7)
	known, err := order.ByName("best-bdd")
	require.NoError(t, err)
	search := NewSearch(s, Options{Known: known.Of(7)})
	_, nodes := search.Best()
	assert.Equal(t, 889, nodes)
	require.NoError(t, search.Run(context.Background(), 10_000, nil))
	_, nodes = search.Best()
	assert.LessOrEqual(t, nodes, 889)
	for _, r := range search.replica {
		assert.Greater(t, r.cost, 889)
	}
}
