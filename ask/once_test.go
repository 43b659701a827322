package ask

import (
	"context"
	"math"
	"math/rand/v2"
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
	first, err := Once(ctx, encodetest.Make("local", 100, 1, true), Choice{}, Question{Want: Count}, Resources{})
	require.NoError(t, err)
	assert.EqualValues(t, "bdd", first.By.Backend, "its diagram is sooner made")
	first, err = Once(ctx, encodetest.Make("random", 50, 1, true), Choice{}, Question{Want: Count}, Resources{})
	require.NoError(t, err)
	assert.EqualValues(t, "search", first.By.Backend, "its diagram is expected to be large")

	// Where few solutions are expected, they are visited. Where many are, visiting stops, and the count is the same.
	for _, c := range []struct {
		p   encode.Problem
		few bool
	}{{encodetest.Make("random", 50, 1, true), true}, {encodetest.Make("local", 50, 1, true), false}} {
		assert.Equal(t, c.few, expected(c.p) <= fewBits, "expected bits: %v", expected(c.p))
		by := search.New(c.p)
		visited, err := by.CountVisiting(ctx, nil, firstVisits)
		require.NoError(t, err)
		whole, err := by.CountWithin(ctx, nil, 0)
		require.NoError(t, err)
		if c.few {
			assert.Equal(t, whole, visited)
		} else {
			assert.Nil(t, visited, "of %v", whole)
		}
	}
	assert.InDelta(t, 1+math.Log2(6), expected(encode.Problem{Names: make(encode.List, 5), Constraints: []encode.Constraint{
		{Least: 2, Most: 2, Lits: []cnf.Lit{1, 2, 3, 4}},
	}}), 1e-9, "6 of 16, and a free variable")

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
