package threshold

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends"
	"queens/backends/sat"
	"queens/encode"
)

// gini, too, finds no completion. It takes minutes about some witnesses of larger boards, which weights
// refute at once: TestWeightsRefuteWitnesses checks those.
func TestWitnessesHaveNoCompletion(t *testing.T) {
	ctx := context.Background()
	for n, k := range map[int]int{8: 2, 10: 3, 14: 4, 19: 5, 22: 5, 24: 6} {
		if testing.Short() && n > 20 {
			continue
		}
		witness, err := Refute(ctx, n, k, 1, 2000)
		require.NoError(t, err)
		require.Len(t, witness, k, "n = %d", n)
		p, err := encode.Queens(n, witness, nil)
		require.NoError(t, err)
		answer, err := sat.New(p).Solve(ctx, p.Fixed)
		require.NoError(t, err)
		assert.Equal(t, backends.Unsat, answer.Status, "n = %d: %v", n, witness)
	}
}

func TestNothingIsRefutedThatIsProved(t *testing.T) {
	witness, err := Refute(context.Background(), 12, 2, 1, 20)
	require.NoError(t, err)
	assert.Nil(t, witness)
}
