package ask

import (
	"context"
	"math"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends/conformance"
	"queens/backends/search"
	"queens/encode"
	"queens/encode/cnf"
	"queens/encode/encodetest"
)

// Search counts within its budget, and returns no count if the budget runs out; the diagram then returns
// the same count.
func TestSearchCountsFirst(t *testing.T) {
	ctx := context.Background()
	seed := conformance.Number(t, "COUNT_SEED", rand.Uint64())
	for i := range uint64(10) {
		p := encodetest.Make("local", 14, seed+i, true)
		first, err := Once(ctx, p, Choice{}, Question{Want: Count}, Resources{})
		require.NoError(t, err)
		assert.EqualValues(t, "search", first.By.Backend)
		assert.EqualValues(t, len(conformance.BruteForce(p)), first.Count.Int64(), "COUNT_SEED=%d", seed+i)
		compiled, err := Once(ctx, p, Choice{Backend: "bdd"}, Question{Want: Count}, Resources{})
		require.NoError(t, err)
		assert.Equal(t, compiled.Count, first.Count, "COUNT_SEED=%d", seed+i)
	}
	for _, c := range []struct {
		shape   string
		vars    int
		backend string
		order   string // that it starts with
	}{
		{"features", 300, "search", ""}, // expects to end soon
		{"local", 200, "bdd", "quick: "},
		{"grid", 144, "bdd", "estimate: "}, // expects too many nodes for the first turn
		{"random", 50, "search", ""},       // few solutions
		{"random", 70, "search", ""},       // a diagram too large for any turn
	} {
		p := encodetest.Make(c.shape, c.vars, 1, true)
		first, err := Once(ctx, p, Choice{}, Question{Want: Count}, Resources{})
		require.NoError(t, err)
		assert.EqualValues(t, c.backend, first.By.Backend, "%s of %d", c.shape, c.vars)
		assert.True(t, strings.HasPrefix(string(first.By.Order), c.order), "%s of %d: %s", c.shape, c.vars, first.By.Order)
		other := Choice{Backend: "bdd"}
		if c.vars == 70 {
			other = Choice{Backend: "table"}
		}
		again, err := Once(ctx, p, other, Question{Want: Count}, Resources{})
		require.NoError(t, err)
		assert.Equal(t, again.Count, first.Count, "%s of %d", c.shape, c.vars)
	}

	// Where few solutions are expected, they are visited. Where many are, visiting stops, and the count is the same.
	for _, c := range []struct {
		p   encode.Problem
		few bool
	}{{encodetest.Make("random", 50, 1, true), true}, {encodetest.Make("local", 50, 1, true), false}} {
		assert.Equal(t, c.few, expected(c.p) <= fewBits, "expected bits: %v", expected(c.p))
		by := search.New(c.p)
		visited, err := by.CountVisiting(ctx, nil, mostVisits)
		require.NoError(t, err)
		whole, err := by.CountWithin(ctx, nil, 0)
		require.NoError(t, err)
		if c.few {
			assert.Equal(t, whole, visited)
		} else {
			assert.Nil(t, visited, "of %v", whole)
		}
	}

	small := encodetest.Make("local", 14, 1, true)
	board, err := encode.Queens(4, nil, nil)
	require.NoError(t, err)
	for _, c := range []struct {
		p encode.Problem
		c Choice
	}{{small, Choice{Backend: "bdd"}}, {small, Choice{Order: "natural"}}, {board, Choice{}}} {
		first, err := inTurn(ctx, c.p, c.c, nil, Resources{})
		require.NoError(t, err)
		assert.Nil(t, first.Count, "%s %v is not for search", c.p, c.c)
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
