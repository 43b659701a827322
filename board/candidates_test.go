package board

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// After random queens and blocked cells, propagated candidates are the queens and free cells
// of a propagated Position, and one is inconsistent when the other is dead.
func TestCandidatesAreThoseOfThePosition(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	var c Candidates // used again for every board
	consistent, dead, forced := 0, 0, 0
	for _, n := range []int{1, 2, 3, 4, 5, 6, 7, 8, 13, 32, 33, 63, 64} {
		for range 200 {
			c.Reset(n)
			p := NewPosition(n, nil, nil)
			for range rng.IntN(n + 2) { // before the first queen: a Position ignores later ones
				at := At(n, rng.IntN(n*n))
				c.Block(at)
				p.Block(at)
			}
			for range rng.IntN(n + 2) {
				if at := At(n, rng.IntN(n*n)); p.IsFree(at) || rng.IntN(8) == 0 {
					c.Put(at)
					p.Put(at)
				}
			}
			put := len(p.Queens)
			p.Propagate()
			require.Equal(t, !p.Dead, c.Propagate(), "n = %d", n)
			if p.Dead {
				dead++
				continue
			}
			consistent++
			forced += len(p.Queens) - put
			for row := range n {
				want := p.Row(row)[0]
				if col := p.Cols[row]; col >= 0 {
					want |= 1 << col
				}
				require.Equal(t, want, c.Rows[row], "n = %d, row %d", n, row)
			}
		}
	}
	require.Positive(t, consistent)
	require.Positive(t, dead)
	require.Positive(t, forced)
}
