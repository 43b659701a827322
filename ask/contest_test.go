package ask

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends/conformance"
	"queens/backends/portfolio"
	"queens/encode"
	"queens/encode/cnf"
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
	}{{"features", 300, "ddnnf"}, {"random", 50, "table"}, {"random", 70, "table"}, {"grid", 100, "bdd"}} {
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

func TestExpectedSolutions(t *testing.T) {
	assert.InDelta(t, 1+math.Log2(6), expected(encode.Problem{Names: make(encode.List, 5), Constraints: []encode.Constraint{
		{Least: 2, Most: 2, Lits: []cnf.Lit{1, 2, 3, 4}},
	}}), 1e-9, "6 of 16, and a free variable")
	for n := range 9 {
		for least := range n + 2 {
			for most := least - 1; most <= n; most++ {
				ways := 0
				for assignment := range uint(1) << n {
					if ones := bits.OnesCount(assignment); least <= ones && ones <= most {
						ways++
					}
				}
				assert.InDelta(t, float64(ways), math.Exp2(float64(n)+share(n, least, most)), 1e-9, "from %d to %d of %d", least, most, n)
			}
		}
	}
	for _, c := range []struct {
		least, most int
		bits        float64 // of 5,000 literals, whose assignments are more than a float64 holds
	}{{1, 5000, 0}, {0, 1, math.Log2(5001) - 5000}, {4999, 5000, math.Log2(5001) - 5000}, {0, 2499, -1}} {
		assert.InDelta(t, c.bits, share(5000, c.least, c.most), .02, "from %d to %d", c.least, c.most)
	}
}
