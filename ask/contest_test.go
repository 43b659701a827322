package ask

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends"
	"queens/backends/conformance"
	"queens/backends/portfolio"
	"queens/encode/encodetest"
)

// The contest's counts are those of brute force, of a diagram and of a d-DNNF alone, and it says who answered; also when its
// first turns are short. Each kind of formula has another winner.
func TestCountingContest(t *testing.T) {
	ctx := t.Context()
	seed := conformance.Number(t, "COUNT_SEED", rand.Uint64())
	for i := range uint64(30) {
		p := encodetest.Make(encodetest.Shapes()[i%uint64(len(encodetest.Shapes()))], 12, seed+i, true)
		solutions := conformance.BruteForce(p)
		for _, c := range []*portfolio.Contest{counting(p, Resources{}), portfolio.NewContest(1, 0, compiles(p, Resources{}), draws(p, Resources{}))} {
			require.Empty(t, c.Winner())
			count, err := c.Count(ctx, nil)
			require.NoError(t, err)
			require.EqualValues(t, len(solutions), count.Int64(), "COUNT_SEED=%d", seed+i)
			total, each, err := c.CountEach(ctx, nil)
			require.NoError(t, err)
			require.Equal(t, count.String(), total.String())
			for v := range each {
				trues := 0
				for _, s := range solutions {
					if s[v] > 0 {
						trues++
					}
				}
				require.EqualValues(t, trues, each[v].Int64(), "COUNT_SEED=%d, variable %d", seed+i, v+1)
			}
			require.NotEmpty(t, c.Winner())
		}
	}
	for _, c := range []struct {
		shape  string
		vars   int
		winner string
	}{{"features", 300, "ddnnf"}, {"random", 50, "search"}, {"random", 70, "search"}, {"grid", 100, "bdd"}} {
		p := encodetest.Make(c.shape, c.vars, 1, true)
		contest := counting(p, Resources{Bytes: 1 << 30})
		count, err := contest.Count(ctx, nil)
		require.NoError(t, err)
		t.Log(c.shape, contest.Spent())
		require.Positive(t, contest.Spent()[0].N+contest.Spent()[1].N+contest.Spent()[2].N)
		assert.Equal(t, c.winner, contest.Winner(), "%s of %d", c.shape, c.vars)
		again := counting(p, Resources{})
		other, err := again.Count(ctx, nil)
		require.NoError(t, err)
		assert.Equal(t, count, other)
		assert.Equal(t, contest.Spent(), again.Spent(), "the same work every time")
	}
}

// fuse is a context that ends when its error has been looked at a number of times.
type fuse struct {
	context.Context
	left int
}

func (f *fuse) Err() error {
	if f.left--; f.left < 0 {
		return context.Canceled
	}
	return nil
}

// However short its turns, however little memory it has, and wherever it is cancelled, a contest counts right in the
// end, or says that it lacks memory. It leaves nothing that waits for a turn.
func TestContestIsInterrupted(t *testing.T) {
	seed := conformance.Number(t, "COUNT_SEED", rand.Uint64())
	before := runtime.NumGoroutine()
	interrupted, lacked, won := 0, 0, map[string]int{}
	for i := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, i))
		p := encodetest.Make(encodetest.Shapes()[i%uint64(len(encodetest.Shapes()))], 12, seed+i, true)
		r := Resources{Bytes: []int64{0, 1 << 20, 3 << 18, 1 << 14, 1}[rng.IntN(5)]}
		by := []portfolio.Contestant{draws(p, r)}
		if i%4 > 0 { // or else it has nobody to wait for
			by = append(by, compiles(p, r))
		}
		if i%3 == 0 {
			by = append(by, visits(p))
		}
		c := portfolio.NewContest(1+rng.Uint64N(1<<12), r.Bytes, by...)
		for left := rng.IntN(8); ; left = 2*left + 1 {
			count, err := c.Count(&fuse{t.Context(), left}, nil)
			if errors.Is(err, context.Canceled) {
				interrupted++
				continue
			}
			var limit *backends.LimitError
			if err != nil {
				require.Positive(t, r.Bytes)
				require.ErrorAs(t, err, &limit, "COUNT_SEED=%d, problem %d", seed, i)
				lacked++
				break
			}
			require.EqualValues(t, len(conformance.BruteForce(p)), count.Int64(), "COUNT_SEED=%d, problem %d", seed, i)
			won[c.Winner()]++
			break
		}
	}
	t.Log(interrupted, lacked, won)
	require.Positive(t, interrupted)
	require.Positive(t, lacked)
	require.Positive(t, won["bdd"])
	require.Positive(t, won["ddnnf"])
	require.Positive(t, won["search"])
	require.LessOrEqual(t, runtime.NumGoroutine(), before+2)
}
