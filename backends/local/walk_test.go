package local

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"queens/board"
)

// openBoard places queens of a random solution and blocks cells outside it. It
// returns the solution, the fixed queens by row, and the free cells of the rest.
func openBoard(t *testing.T, n int, rng *rand.Rand) (solution, fixed []int32, free bitset) {
	t.Helper()
	c := CompleterOf(board.NewPosition(n, nil, nil), rng.Uint64())
	found, ok := c.Complete(context.Background())
	require.True(t, ok)
	solution = slices.Clone(found)
	fixed = slices.Repeat([]int32{-1}, n)
	for _, row := range rng.Perm(n)[:rng.IntN(n/2+1)] {
		fixed[row] = solution[row]
	}
	words := (n + 63) / 64
	free = make(bitset, n*words)
	for row := range n {
		for col := range n {
			here := board.Cell{Row: row, Col: col}
			open := fixed[row] < 0 && (rng.IntN(8) > 0 || solution[row] == int32(col))
			for r, c := range fixed {
				open = open && (c < 0 || !here.Attacks(board.Cell{Row: r, Col: int(c)}))
			}
			if open {
				free[row*words:].add(col)
			}
		}
	}
	return solution, fixed, free
}

func startWalk(n int, solution, fixed []int32, free bitset) *Walk {
	open := slices.Clone(solution)
	for row, col := range fixed {
		if col >= 0 {
			open[row] = -1
		}
	}
	return NewWalk(n, free, open)
}

// After every step, done or undone, the walk is at a solution of the board: on free
// cells and, together with the fixed queens, accepted by board.Verify.
func TestWalkStandsOnSolutions(t *testing.T) {
	for _, n := range []int{8, 13, 30, 64, 65, 100} {
		for seed := range uint64(8) {
			t.Run(fmt.Sprintf("n=%d seed=%d", n, seed), func(t *testing.T) {
				rng := rand.New(rand.NewPCG(seed, uint64(n)))
				solution, fixed, free := openBoard(t, n, rng)
				w := startWalk(n, solution, fixed, free)
				w.unseen = make(bitset, len(free))
				reached := 0
				for range 300 {
					r, c := rng.IntN(n), rng.IntN(n)
					if !free[r*w.words:].has(c) {
						continue
					}
					before := slices.Clone(w.Columns())
					if w.reach(r, c) {
						reached++
						require.EqualValues(t, c, w.Columns()[r])
					} else {
						require.Equal(t, before, w.Columns())
					}
					cols := slices.Clone(fixed)
					for row, col := range w.Columns() {
						if col >= 0 {
							require.True(t, free[row*w.words:].has(int(col)), "a queen off the free cells")
							cols[row] = col
						}
					}
					require.NoError(t, board.Verify(cols))
				}
				if n >= 30 {
					require.Positive(t, reached)
				}
			})
		}
	}
}

// Each cell that Show clears is in some solution: all solutions of small boards are
// known. On a board with plenty of room it leaves next to nothing.
func TestShowClearsOnlyCellsOfSolutions(t *testing.T) {
	for n := 4; n <= 9; n++ {
		if n == 6 { // no two of its four solutions are near each other
			continue
		}
		for seed := range uint64(10) {
			rng := rand.New(rand.NewPCG(seed, uint64(n)))
			solution, fixed, free := openBoard(t, n, rng)
			possible := make(bitset, len(free))
			cols := make([]int32, n)
			var extend func(row int)
			extend = func(row int) {
				if row == n {
					if board.Verify(cols) == nil {
						for r, c := range cols {
							possible[r:].add(int(c))
						}
					}
					return
				}
			next:
				for col := range int32(n) {
					if fixed[row] != col && !free[row:].has(int(col)) {
						continue
					}
					for r, c := range cols[:row] {
						if (board.Cell{Row: r, Col: int(c)}).Attacks(board.Cell{Row: row, Col: int(col)}) {
							continue next
						}
					}
					cols[row] = col
					extend(row + 1)
				}
			}
			extend(0)
			unseen := slices.Clone(free)
			w := startWalk(n, solution, fixed, free)
			w.Show(context.Background(), unseen, nil)
			left := w.left
			for row := range n {
				require.Zero(t, free[row]&^unseen[row]&^possible[row], "n=%d seed=%d row %d", n, seed, row)
				for word := unseen[row]; word != 0; word &= word - 1 {
					left--
				}
			}
			require.Zero(t, left, "the count of cells left")
		}
	}
	for _, n := range []int{100, 130} {
		c := CompleterOf(board.NewPosition(n, nil, nil), 1)
		solution, ok := c.Complete(context.Background())
		require.True(t, ok)
		words := (n + 63) / 64
		free := make(bitset, n*words)
		for i := range n * n {
			free[i/n*words:].add(i % n)
		}
		w := NewWalk(n, free, solution)
		w.Show(context.Background(), slices.Clone(free), nil)
		require.LessOrEqual(t, w.left, n*n/100)
	}
}

// With the symmetries of the empty board, the remaining cells are symmetric too.
func TestShowClearsImages(t *testing.T) {
	const n = 12
	c := CompleterOf(board.NewPosition(n, nil, nil), 3)
	solution, ok := c.Complete(context.Background())
	require.True(t, ok)
	free := make(bitset, n)
	for i := range n * n {
		free[i/n:].add(i % n)
	}
	all := []board.Symmetry{1, 2, 3, 4, 5, 6, 7}
	unseen := slices.Clone(free)
	w := NewWalk(n, free, solution)
	w.Show(context.Background(), unseen, all)
	for row, col := range solution {
		require.False(t, unseen[row:].has(int(col)))
	}
	for i := range n * n {
		for _, s := range all {
			r, c := s.Of(n, i/n, i%n)
			require.Equal(t, unseen[i/n:].has(i%n), unseen[r:].has(c))
		}
	}
}
