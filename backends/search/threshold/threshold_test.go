package threshold

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestThresholdIsOEIS(t *testing.T) {
	most := 16
	if testing.Short() {
		most = 12
	}
	for n := 4; n <= most; n++ {
		proved, _, err := Threshold(context.Background(), n, Options{Anneals: Anneals, Seed: 1})
		require.NoError(t, err)
		known, _ := Known(n)
		assert.Equal(t, known, proved.Queens, "n = %d", n)
	}
}
