package search

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/encode/cnf"
)

// What a move keeps of the order it made is what measuring it anew gives.
func TestMoveKeepsItsBooks(t *testing.T) {
	const seed = 3
	rng := rand.New(rand.NewPCG(seed, 0))
	for _, d := range []Diagram{BDD, ZDD} {
		for _, n := range []int{1, 2, 4, 5, 7} {
			s := queens(t, n)
			a := newAnnealer(s, d, rng)
			st := a.measure(shuffled(rng, n*n))
			for range 300 {
				a.heat(rng.Float64() * 20)
				a.move(st, cnf.Var(1+rng.IntN(n*n)))
				require.NoError(t, st.order.Check(n*n))
				bdd, zdd := make([]int, n*n), make([]int, n*n)
				s.Widths(st.order, bdd, zdd)
				require.Equal(t, map[Diagram][]int{BDD: bdd, ZDD: zdd}[d], st.level, "seed %d %s n=%d", seed, d, n)
				require.Equal(t, s.Sizes(st.order).Of(d), st.nodes)
			}
		}
	}
}

// All the sizes a move computes, one for each place, are the orders' sizes; at
// temperature 0 it takes the least.
func TestMoveKnowsEveryPlace(t *testing.T) {
	const seed = 4
	rng := rand.New(rand.NewPCG(seed, 0))
	s := queens(t, 6)
	for _, d := range []Diagram{BDD, ZDD} {
		a := newAnnealer(s, d, rng)
		a.heat(0)
		for range 50 {
			st := a.measure(shuffled(rng, 36))
			before := st.nodes
			a.move(st, cnf.Var(1+rng.IntN(36)))
			least := before
			for place, size := range a.sizes {
				o := append(append(append(st.order[:0:0], a.others[:place]...), st.order[0]), a.others[place:]...)
				o[place] = missing(a.others, 36)
				require.Equal(t, s.Sizes(o).Of(d), size, "seed %d", seed)
				least = min(least, size)
			}
			require.Equal(t, least, st.nodes)
			require.LessOrEqual(t, st.nodes, before)
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

// A search is its seed and its evaluations: stopped at any time, saved as JSON,
// and resumed, it ends where one that never stopped does.
func TestSearchCanBeRepeatedAndResumed(t *testing.T) {
	const seed, evaluations = 5, 300_000
	s := queens(t, 6)
	for _, d := range []Diagram{BDD, ZDD} {
		whole := NewSearch(s, d, seed, 2)
		require.NoError(t, whole.Run(context.Background(), evaluations, nil))

		parts := NewSearch(s, d, seed, 2)
		rng := rand.New(rand.NewPCG(seed, 1))
		for parts.Evaluations() < evaluations {
			// Stop in the middle of a pass: the context ends after some looks at it.
			ctx := &lookedAt{Context: context.Background()}
			ctx.left.Store(rng.Int64N(2000))
			err := parts.Run(ctx, evaluations, nil)
			if err != nil {
				require.ErrorIs(t, err, context.Canceled)
			}
			data, err := json.Marshal(parts.State())
			require.NoError(t, err)
			var state State
			require.NoError(t, json.Unmarshal(data, &state))
			parts, err = ResumeSearch(s, state)
			require.NoError(t, err)
		}
		assert.Equal(t, whole.State(), parts.State())

		o, nodes := whole.Best()
		require.NoError(t, o.Check(36))
		assert.Equal(t, s.Sizes(o).Of(d), nodes)
		other := NewSearch(s, d, seed+1, 2)
		require.NoError(t, other.Run(context.Background(), evaluations/10, nil))
		assert.NotEqual(t, whole.State().Ensembles[0].Replicas, other.State().Ensembles[0].Replicas)
	}
}

// lookedAt is a context that ends after its error was looked at so many times.
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

// Where the minimum is proved, a short search finds it; and it never returns
// anything worse than where it began.
func TestSearchFindsTheMinimum(t *testing.T) {
	for n, want := range map[int]Sizes{1: {1, 1}, 2: {}, 3: {}, 4: {23, 8}, 5: {145, 40}, 6: {69, 24}} {
		s := queens(t, n)
		for _, d := range []Diagram{BDD, ZDD} {
			search := NewSearch(s, d, 1, 2)
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
	search := NewSearch(s, BDD, 1, 2)
	_, start := search.Best()
	assert.Equal(t, 2451, start)
	require.NoError(t, search.Run(context.Background(), 300_000, nil))
	o, nodes := search.Best()
	assert.Less(t, nodes, 2400)
	assert.Equal(t, nodes, s.Sizes(o).BDD)
}

func TestResumeRefuses(t *testing.T) {
	s := queens(t, 4)
	for want, spoil := range map[string]func(*State){
		"was for a function of 17 variables": func(st *State) { st.Vars = 17 },
		"and 3 solutions, not 16 and 2":      func(st *State) { st.Solutions = 3 },
		"expected bdd or zdd":                func(st *State) { st.Diagram = "add" },
		"has no ensembles":                   func(st *State) { st.Ensembles = nil },
		"expected 8 replicas":                func(st *State) { st.Ensembles[0].Replicas = st.Ensembles[0].Replicas[1:] },
		"is there twice":                     func(st *State) { st.Ensembles[0].Best[0] = st.Ensembles[0].Best[1] },
		"order: 15 variables, expected 16":   func(st *State) { st.Ensembles[0].Best = st.Ensembles[0].Best[1:] },
		"random: ":                           func(st *State) { st.Ensembles[0].Random = nil },
		"expected both positive":             func(st *State) { st.Ensembles[0].Hottest = 0 },
	} {
		state := NewSearch(s, BDD, 1, 1).State()
		spoil(&state)
		_, err := ResumeSearch(s, state)
		assert.ErrorContains(t, err, want)
	}
}
