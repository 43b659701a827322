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

// Cells that queens in later rows attack are left out from the first row on: without that, the walk takes
// billions of steps to list the 23,318 solutions of this board.
func TestQueensAtTheBottomAreSeenAtOnce(t *testing.T) {
	queens, err := board.ParseCells(24, "a16,k17,t18,x19,o20,l21,r22,f23,m24")
	require.NoError(t, err)
	count, pauses := 0, 0
	require.NoError(t, All(24, Allowed(board.NewPosition(24, queens, nil)), func() error {
		if pauses++; pauses == 64 {
			return errors.New("64 million steps")
		}
		return nil
	}, func(cols []int) error {
		require.NoError(t, board.Verify(cols))
		for _, q := range queens {
			require.Equal(t, q.Col, cols[q.Row])
		}
		count++
		return nil
	}))
	assert.Equal(t, 23318, count)
}

// A dead position allows nothing, although its queens may look like part of a solution: one stands on a blocked
// cell, or shares its row with another.
func TestDeadPositionsAllowNothing(t *testing.T) {
	at := func(list string) []board.Cell {
		cells, err := board.ParseCells(4, list)
		require.NoError(t, err)
		return cells
	}
	for _, p := range []*board.Position{
		board.NewPosition(4, at("b1"), at("b1")), board.NewPosition(4, at("a1,b1"), nil), board.NewPosition(4, at("a1,b2"), nil),
	} {
		require.True(t, p.Dead)
		assert.NoError(t, All(4, Allowed(p), nil, func(cols []int) error { return errors.New("found one") }), "%v", p.Queens)
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
