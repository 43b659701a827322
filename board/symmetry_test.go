package board

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A symmetry maps solutions to solutions, and the eight are all different.
func TestSymmetries(t *testing.T) {
	const n = 8
	solution := []int32{0, 4, 7, 5, 2, 6, 1, 3}
	require.NoError(t, Verify(solution))
	seen := map[string]bool{}
	for _, s := range Symmetries() {
		var image []Cell
		for row, col := range solution {
			r, c := s.Of(n, row, int(col))
			image = append(image, Cell{Row: r, Col: c})
		}
		require.NoError(t, VerifyCells(n, image))
		seen[DrawQueens(n, image)] = true
	}
	require.Len(t, seen, 8)
}
