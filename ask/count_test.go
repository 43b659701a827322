package ask

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends"
	"queens/backends/conformance"
	"queens/encode"
	"queens/encode/generate"
)

// Search counts what it can within its budget, and says so when it cannot; the diagram then has
// the same answer.
func TestCountFirst(t *testing.T) {
	ctx := context.Background()
	local, err := generate.Named("local")
	require.NoError(t, err)
	seed := conformance.Number(t, "COUNT_SEED", rand.Uint64())
	for i := range uint64(10) {
		p, err := local.Make(14, seed+i, true)
		require.NoError(t, err)
		count, b, err := CountFirst(ctx, p, Choice{})
		require.NoError(t, err)
		assert.Equal(t, "search", b.Name)
		assert.EqualValues(t, len(conformance.BruteForce(p)), count.Int64(), "COUNT_SEED=%d", seed+i)
		made, err := Open(ctx, p, Choice{}, Counts, Resources{})
		require.NoError(t, err)
		compiled, err := made.Answers.(backends.Counter).Count(ctx, nil)
		require.NoError(t, err)
		assert.Equal(t, compiled, count, "COUNT_SEED=%d", seed+i)
	}
	large, err := local.Make(100, 1, true) // 4.0e26 solutions
	require.NoError(t, err)
	count, _, err := CountFirst(ctx, large, Choice{})
	require.NoError(t, err)
	assert.Nil(t, count)

	small, err := local.Make(14, 1, true)
	require.NoError(t, err)
	board, err := encode.Queens(4, nil, nil)
	require.NoError(t, err)
	for _, c := range []struct {
		p encode.Problem
		c Choice
	}{{small, Choice{Backend: "bdd"}}, {small, Choice{Order: "natural"}}, {board, Choice{}}} {
		count, _, err := CountFirst(ctx, c.p, c.c)
		require.NoError(t, err)
		assert.Nil(t, count, "%s %v is not for search", c.p, c.c)
	}
}
