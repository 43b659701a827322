package search

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends/diagram"
	"queens/encode/cnf"
	"queens/order"
)

// The sizes that a move keeps for its new order are those that measuring it
// again returns.
func TestMoveKeepsItsBooks(t *testing.T) {
	const seed = 3
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(seed, 0))
	for _, d := range []diagram.Kind{diagram.BDD, diagram.ZDD} {
		for _, n := range []int{1, 2, 4, 5, 7} {
			s := queens(t, n)
			a := newAnnealer(s, d, rng.IntN(2) == 0)
			st, err := a.measure(ctx, shuffled(rng, n*n))
			require.NoError(t, err)
			for range 300 {
				a.heat(rng.Float64() * 20)
				require.NoError(t, a.move(ctx, rng, st, cnf.Var(1+rng.IntN(n*n))))
				require.NoError(t, st.order.Check(n*n))
				bdd, zdd := make([]int, n*n), make([]int, n*n)
				s.Widths(st.order, bdd, zdd)
				require.Equal(t, map[diagram.Kind][]int{diagram.BDD: bdd, diagram.ZDD: zdd}[d], st.level, "seed %d %s n=%d", seed,
					d, n)
				require.Equal(t, s.Sizes(st.order).Of(d), st.nodes)
			}
		}
	}
}

// The sizes that a move computes, one for each place, are those of the orders;
// at temperature 0 it takes the smallest, or the largest.
func TestMoveKnowsEveryPlace(t *testing.T) {
	const seed = 4
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(seed, 0))
	s := queens(t, 6)
	for _, d := range []diagram.Kind{diagram.BDD, diagram.ZDD} {
		for _, largest := range []bool{false, true} {
			a := newAnnealer(s, d, largest)
			a.heat(0)
			for range 50 {
				st, err := a.measure(ctx, shuffled(rng, 36))
				require.NoError(t, err)
				best := st.nodes
				require.NoError(t, a.move(ctx, rng, st, cnf.Var(1+rng.IntN(36))))
				for place, size := range a.sizes {
					o := append(append(append(st.order[:0:0], a.others[:place]...), st.order[0]), a.others[place:]...)
					o[place] = missing(a.others, 36)
					require.Equal(t, s.Sizes(o).Of(d), size, "seed %d", seed)
					if a.better(size, best) {
						best = size
					}
				}
				require.Equal(t, best, st.nodes)
			}
		}
	}
}

// A move that is stopped, at whatever level, leaves the order as it was.
func TestMoveIsAllOrNothing(t *testing.T) {
	const seed = 12
	rng := rand.New(rand.NewPCG(seed, 0))
	s := queens(t, 11) // levels slow enough to check the context between them
	a := newAnnealer(s, diagram.BDD, false)
	a.heat(5)
	st, err := a.measure(context.Background(), shuffled(rng, 121))
	require.NoError(t, err)
	stopped := 0
	for range 20 {
		before := st.clone()
		ctx := &lookedAt{Context: context.Background()}
		ctx.left.Store(rng.Int64N(250))
		if err := a.move(ctx, rng, st, cnf.Var(1+rng.IntN(121))); err != nil {
			require.ErrorIs(t, err, context.Canceled)
			require.Equal(t, before, st, "seed %d", seed)
			stopped++
		}
	}
	assert.Positive(t, stopped)
	ctx := &lookedAt{Context: context.Background()}
	ctx.left.Store(60)
	_, err = a.measure(ctx, st.order)
	assert.ErrorIs(t, err, context.Canceled)
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
		{Diagram: diagram.BDD, Seed: seed, Ensembles: 2},
		{Diagram: diagram.ZDD, Seed: seed, Ensembles: 1},
		{Diagram: diagram.BDD, Seed: seed, Ensembles: 2, Largest: true, Start: named(t, "spiral-in", 6)},
	} {
		whole := start(t, s, opts)
		require.NoError(t, whole.Run(ctx, evaluations, nil))
		o, nodes := whole.Best()
		require.NoError(t, o.Check(36))
		assert.Equal(t, s.Sizes(o).Of(opts.Diagram), nodes)

		// In parts, by more workers.
		opts.Workers = 3
		again := start(t, s, opts)
		for part := int64(1); part <= 5; part++ {
			require.NoError(t, again.Run(ctx, part*evaluations/5, nil))
		}
		assert.Equal(t, whole.Evaluations(), again.Evaluations())
		assert.Equal(t, held(whole), held(again))

		opts.Seed++
		other := start(t, s, opts)
		require.NoError(t, other.Run(context.Background(), evaluations/10, nil))
		assert.NotEqual(t, held(whole), held(other))
	}
}

// held returns the orders that a search's replicas hold, and the best ones.
func held(s *Search) (orders []order.Order) {
	for _, e := range s.ensembles {
		for _, r := range e.replica {
			orders = append(orders, r.order)
		}
		orders = append(orders, e.best.order)
	}
	return orders
}

func start(t *testing.T, s *Sizer, opts Options) *Search {
	search, err := NewSearch(context.Background(), s, opts)
	require.NoError(t, err)
	return search
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
		for _, d := range []diagram.Kind{diagram.BDD, diagram.ZDD} {
			search := start(t, s, Options{Diagram: d, Seed: 1, Ensembles: 2, Workers: 2})
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
	search := start(t, s, Options{Seed: 1, Ensembles: 2, Workers: 2})
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
	search := start(t, s, Options{Seed: 1, Largest: true})
	require.NoError(t, search.Run(context.Background(), 300_000, nil))
	o, nodes := search.Best()
	assert.Equal(t, nodes, s.Sizes(o).BDD)
	const seed = 13
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 1000 {
		require.Less(t, s.Sizes(shuffled(rng, 49)).BDD, nodes, "seed %d", seed)
	}
	proved, err := search.Prove(context.Background(), nil)
	assert.NoError(t, err)
	assert.False(t, proved)
}

// A search with hardly any time returns its start, or a better order found in a
// step that was never finished.
func TestSearchKeepsWhatAnUnfinishedStepMet(t *testing.T) {
	s := queens(t, 8)
	search := start(t, s, Options{Seed: 1})
	ctx := &lookedAt{Context: context.Background()}
	ctx.left.Store(60)
	require.ErrorIs(t, search.Run(ctx, 1<<40, nil), context.Canceled)
	assert.Zero(t, search.ensembles[0].moves)
	o, nodes := search.Best()
	assert.Less(t, nodes, 2451)
	assert.Equal(t, s.Sizes(o).BDD, nodes)
}

func TestNewSearchRefuses(t *testing.T) {
	_, err := NewSearch(context.Background(), queens(t, 4), Options{Start: named(t, "row-major", 3)})
	assert.ErrorContains(t, err, "order: 9 variables, but there are 16")
}
