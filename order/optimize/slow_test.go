//go:build slow

package optimize

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/robdd"
)

// 2^25 sets of variables, an eighth of them computed.
func TestMinimumOfFive(t *testing.T) {
	proveQueens(t, 5, robdd.BDD, 145)
	proveQueens(t, 5, robdd.ZDD, 40)
}

// Takes 3 GiB.
func TestBestOrdersOfLargerBoards(t *testing.T) { checkBest(t, 15, 16) }

func TestTwoEndedOnLargerBoards(t *testing.T) {
	checkTwoEnded(t, 13, 2006190)
	checkTwoEnded(t, 14, 9271089)
}

// The largest diagrams found by an upward search of four million orders. Those of n = 5 and 6 are the
// largest possible (TestMinimumOfFiveAgain, TestMinimumOfSixAgain).
func TestLargestDiagrams(t *testing.T) {
	for n, want := range map[int]int{4: 31, 5: 193, 6: 135, 7: 1458, 8: 4339} {
		s := queens(t, n)
		search := NewSearch(s, Options{Seed: 1, Workers: 2, Largest: true})
		require.NoError(t, search.Run(context.Background(), 4_000_000, nil))
		o, nodes := search.Best()
		assert.Equal(t, want, nodes, "n=%d", n)
		assert.Equal(t, nodes, s.Sizes(o).BDD)
	}
}
