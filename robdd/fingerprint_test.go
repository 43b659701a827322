package robdd

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// Equal functions have the same fingerprint in both kinds, and different functions have different ones.
func TestFingerprint(t *testing.T) {
	seed, ctx := rand.Uint64(), context.Background()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 4))
	of := map[uint64]string{}
	for range 400 {
		bdd, table := randomDiagram(t, r, 5)
		one, err := bdd.Fingerprint(ctx)
		require.NoError(t, err)
		other, err := bdd.Convert(ZDD).Fingerprint(ctx)
		require.NoError(t, err)
		require.Equal(t, one, other, "kinds")
		// The sum of the weights of the solutions, computed from the table.
		sum := uint64(0)
		for a, value := range table {
			product := uint64(1)
			for v := Var(1); v <= 5; v++ {
				w := weight(v)
				if a>>(v-1)&1 == 0 {
					w = prime + 1 - w
				}
				product = times(product, w)
			}
			if value {
				sum = plus(sum, product)
			}
		}
		require.Equal(t, sum, one)
		text := ""
		for _, value := range table {
			text += map[bool]string{true: "1", false: "0"}[value]
		}
		if before, seen := of[one]; seen {
			require.Equal(t, before, text)
		}
		of[one] = text
	}
}
