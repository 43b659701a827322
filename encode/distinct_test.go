package encode

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// Numbers close together and far apart are sorted, each once.
func TestDistinct(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 500 {
		list := make([]int32, 1+rng.IntN(30))
		for i, span := range slices.Repeat([]int32{1 + rng.Int32N(500)}, len(list)) {
			list[i] = 1 + rng.Int32N(span)
		}
		want := slices.Clone(list)
		slices.Sort(want)
		require.Equal(t, slices.Compact(want), distinct(list), "seed %d", seed)
	}
}
