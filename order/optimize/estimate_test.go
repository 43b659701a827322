package optimize

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/encode"
	"queens/order"
)

// How far estimate, which knows no board, is from row-major on boards: never more than a
// quarter above it up to n = 9. It grows: 1.3 times row-major at n = 11, and 1.5 at 12.
func TestEstimateOnBoards(t *testing.T) {
	for n := 5; n <= 9; n++ {
		p, err := encode.Queens(n, nil, nil)
		require.NoError(t, err)
		s := queens(t, n)
		o, from, _ := order.Estimate(context.Background(), p)
		estimated, rowMajor := s.Sizes(o).BDD, s.Sizes(order.ByNumber(p)).BDD
		t.Logf("n = %d: %d nodes by estimate (%s), %d row-major: %.2f", n, estimated, from, rowMajor,
			float64(estimated)/float64(rowMajor))
		assert.LessOrEqual(t, 4*estimated, 5*rowMajor, "n = %d", n)
	}
}
