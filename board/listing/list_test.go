package listing

import (
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/board"
)

func TestIsInOrderAndComplete(t *testing.T) {
	for n := 1; n <= 9; n++ {
		allowed := slices.Repeat([]uint64{1<<n - 1}, n)
		var before []int
		count := uint64(0)
		require.NoError(t, All(n, allowed, nil, func(cols []int) error {
			require.NoError(t, board.Verify(cols))
			require.Negative(t, slices.Compare(before, cols), "lexicographic")
			before = slices.Clone(cols)
			count++
			return nil
		}))
		known, _ := board.KnownSolutions(n)
		assert.Equal(t, known, count, "n = %d", n)
	}
}

func TestKeepsToWhatIsAllowedAndStops(t *testing.T) {
	allowed := []uint64{1 << 1, 15, 15, 15}
	var all [][]int
	list := func(found func([]int) error) error { return All(4, allowed, nil, found) }
	require.NoError(t, list(func(cols []int) error { all = append(all, slices.Clone(cols)); return nil }))
	assert.Equal(t, [][]int{{1, 3, 0, 2}}, all)
	stop := errors.New("stop")
	assert.Equal(t, stop, list(func([]int) error { return stop }))
	full := slices.Repeat([]uint64{1<<13 - 1}, 13)
	assert.Equal(t, stop, All(13, full, func() error { return stop }, func([]int) error { return nil }))
}
