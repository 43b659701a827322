package threshold

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The published numbers of placements of k queens on the chessboard (OEIS A287227) end with the 92
// solutions.
func TestCountOfTheChessboard(t *testing.T) {
	for i, known := range []int64{64, 1288, 10320, 34568, 46736, 22708, 3192, 92} {
		count, err := Count(context.Background(), 8, i+1)
		require.NoError(t, err)
		assert.Equal(t, known, count, "%d queens", i+1)
	}
}
