package board

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// everySolution returns the solutions with queens on the cells of value 1 and none on
// those of value -1, tried out row by row.
func everySolution(n int, value []int8) (all [][]int8) {
	cols := make([]int8, n)
	var try func(row int)
	try = func(row int) {
		if row == n {
			if Verify(cols) == nil {
				all = append(all, append([]int8(nil), cols...))
			}
			return
		}
	next:
		for col := range n {
			for k := range n {
				if v := value[row*n+k]; v == 1 && k != col || v == -1 && k == col {
					continue next
				}
			}
			for above := range row {
				if (Cell{above, int(cols[above])}).Attacks(Cell{row, col}) {
					continue next
				}
			}
			cols[row] = int8(col)
			try(row + 1)
		}
	}
	try(0)
	return all
}

// The images of the representing solutions are all solutions, each once, for any fixed
// cells.
func TestImages(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 0))
	several := 0
	for range 600 {
		n := 1 + rng.IntN(8)
		value := make([]int8, n*n)
		// Fixed cells that are often symmetric: an orbit of each under a few symmetries.
		for range rng.IntN(3) {
			cell, what := Cell{rng.IntN(n), rng.IntN(n)}, int8(1-2*rng.IntN(2))
			for range 1 + rng.IntN(3) {
				value[cell.Row*n+cell.Col] = what
				cell.Row, cell.Col = Symmetry(rng.IntN(8)).Of(n, cell.Row, cell.Col)
			}
		}
		all := everySolution(n, value)
		division := NewImages(n, value)
		if division.Most() > 1 {
			several++
		}
		seen := map[string]int{}
		for col := range n {
			part := division.Part(col)
		solutions:
			for _, cols := range all {
				if int(cols[0]) != col {
					continue
				}
				for _, c := range part.Empty {
					if int(cols[c.Row]) == c.Col {
						continue solutions
					}
				}
				for i, s := range part.Of(cols) {
					if i == 0 {
						require.Equal(t, Symmetry(0), s)
					}
					image := make([]int8, n)
					for row, col := range cols {
						r, c := s.Of(n, row, int(col))
						image[r] = int8(c)
					}
					seen[fmt.Sprint(image)]++
				}
			}
		}
		require.Len(t, seen, len(all), "seed %d: n = %d, %v", seed, n, value)
		for _, cols := range all {
			require.Equal(t, 1, seen[fmt.Sprint(cols)], "seed %d: n = %d, %v", seed, n, value)
		}
	}
	assert.Greater(t, several, 50, "seed %d: boards with symmetries", seed)
}

// On an empty board the number of representing solutions is that of solutions up to symmetry:
// OEIS A002562.
func TestImagesOfEmptyBoards(t *testing.T) {
	for n, want := range []int{1: 1, 0, 0, 1, 2, 1, 6, 12, 46} {
		if n == 0 {
			continue
		}
		division := NewImages(n, make([]int8, n*n))
		got := 0
		for _, cols := range everySolution(n, make([]int8, n*n)) {
			part := division.Part(int(cols[0]))
			used := false
			for _, c := range part.Empty {
				used = used || int(cols[c.Row]) == c.Col
			}
			if !used && len(part.Of(cols)) > 0 {
				got++
			}
		}
		assert.Equal(t, want, got, "n = %d", n)
	}
}
