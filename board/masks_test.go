package board

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// Masks has the free cells of a [Position] after each queen, and forces the queens that Position forces.
func TestMasksHoldThePosition(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	forced, dead, choices := 0, 0, 0
	boards := 2000
	if testing.Short() {
		boards = 800
	}
	for range boards {
		n := 1 + rng.IntN(MaxMasks)
		p, m := NewPosition(n, nil, nil), NewMasks(n)
		for range rng.IntN(2) * rng.IntN(n*n) {
			c := At(n, rng.IntN(n*n))
			p.Block(c)
			m.Allowed[c.Row] &^= 1 << c.Col
		}
		taken := m.Empty()
		for range rng.IntN(n + 1) {
			c := At(n, rng.IntN(n*n))
			free := p.IsFree(c)
			require.Equal(t, free, m.Try(&taken, c.Row, 1<<c.Col), "seed %d, %s", seed, c)
			if free {
				p.Put(c)
			}
			for row, col := range p.Cols {
				require.Equal(t, col < 0, taken.Open>>row&1 == 1)
				if col < 0 {
					require.Equal(t, p.Row(row)[0], m.Free(&taken, row), "seed %d, row %d", seed, row)
				} else {
					require.EqualValues(t, col, m.Cols[row])
				}
			}
		}
		queens := len(p.Queens)
		require.EqualValues(t, queens, m.Placed)
		row, cells := m.Force(&taken)
		p.Propagate()
		forced += len(p.Queens) - queens
		if p.Dead {
			require.Zero(t, cells, "seed %d: %v", seed, p.Queens)
			dead++
			continue
		}
		require.EqualValues(t, len(p.Queens), m.Placed, "seed %d", seed)
		require.Equal(t, p.Open(), bits.OnesCount64(taken.Open))
		for r, col := range p.Cols {
			if col >= 0 {
				require.EqualValues(t, col, m.Cols[r], "seed %d: %v", seed, p.Queens)
			}
		}
		if p.Open() == 0 {
			require.Zero(t, cells)
			continue
		}
		choices++
		require.Equal(t, p.Row(row)[0], cells)
		for r, col := range p.Cols {
			if free := bits.OnesCount64(p.Row(r)[0]); col < 0 && r != row {
				require.Greater(t, free+1, bits.OnesCount64(cells), "seed %d", seed)
				require.False(t, r < row && free == bits.OnesCount64(cells), "the first of several")
			}
		}
	}
	require.Greater(t, min(forced, dead, choices), 100)
}

// A survey finds the same lines as counting the free cells of each row and column.
func TestSurvey(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 5000 {
		s, fewest, row, cells := NewSurvey(), 65, 0, uint64(0)
		var columns [64]int
		width := 1 + rng.IntN(64)
		for r := range 1 + rng.IntN(8) {
			word := rng.Uint64() & rng.Uint64() & (1<<width - 1)
			if rng.IntN(2) == 0 {
				word &= rng.Uint64() & rng.Uint64()
			}
			if word == 0 {
				continue
			}
			s = s.Add(r, word)
			if count := bits.OnesCount64(word); count < fewest {
				fewest, row, cells = count, r, word
			}
			for ; word != 0; word &= word - 1 {
				columns[bits.TrailingZeros64(word)]++
			}
		}
		if cells == 0 {
			continue
		}
		require.Equal(t, row, s.Row, "seed %d", seed)
		require.Equal(t, cells, s.Cells, "seed %d", seed)
		single := uint64(0)
		for c, count := range columns {
			require.Equal(t, count > 0, s.Cols>>c&1 == 1, "seed %d", seed)
			if count == 1 && single == 0 {
				single = 1 << c
			}
		}
		require.Equal(t, single, s.Single(), "seed %d", seed)
	}
}
