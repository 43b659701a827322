package bdd

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"queens/board"
)

// The arithmetic on words against counting cell by cell.
func TestCellSets(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	for n := 1; n <= 16; n++ {
		testCellSets[[1]block](t, rng, n)
	}
	for _, n := range []int{17, 20, 21} {
		testCellSets[[2]block](t, rng, n)
	}
	for _, n := range []int{22, 31, 32} {
		testCellSets[[4]block](t, rng, n)
	}
	for _, n := range []int{33, 50, 64} {
		testCellSets[[16]block](t, rng, n)
	}
}

func testCellSets[S cellSet](t *testing.T, rng *rand.Rand, n int) {
	c := newCellSets[S](n, named(t, "row-major", n))
	for range 200 {
		var set, alone S
		inRow, inColumn := make([]int, n), make([]int, n)
		var cells []board.Cell
		density := 1 + rng.IntN(2*n)
		for i := range n * n {
			if rng.IntN(density) == 0 {
				at := board.At(n, i)
				word, bit := c.place(at)
				set[word/4][word%4] |= 1 << bit
				inRow[at.Row]++
				inColumn[at.Col]++
				cells = append(cells, at)
			}
		}
		var wantRows, wantColumns uint64
		var wantAlone S
		for _, at := range cells {
			level := c.cells[at.Index(n)]
			wantRows |= level.row
			wantColumns |= level.column
			if inRow[at.Row] == 1 || inColumn[at.Col] == 1 {
				word, bit := c.place(at)
				wantAlone[word/4][word%4] |= 1 << bit
			}
		}
		rows, columns := c.count(&set, &alone)
		require.Equal(t, wantRows, rows, "n=%d %v", n, cells)
		require.Equal(t, wantColumns, columns, "n=%d %v", n, cells)
		require.Equal(t, wantAlone, alone, "n=%d %v", n, cells)
	}
}
