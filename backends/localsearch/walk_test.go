package localsearch

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"queens/board"
)

// openBoard places queens of a random solution and blocks cells outside it.
func openBoard(t *testing.T, n int, rng *rand.Rand) (solution []int32, p *board.Position) {
	t.Helper()
	solution, ok := complete(NewWalk(board.NewPosition(n, nil, nil), rng.Uint64()))
	require.True(t, ok)
	var placed, blocked []board.Cell
	for _, row := range rng.Perm(n)[:rng.IntN(n/2+1)] {
		placed = append(placed, board.Cell{Row: row, Col: int(solution[row])})
	}
	for i := range n * n {
		if c := board.At(n, i); solution[c.Row] != int32(c.Col) && rng.IntN(8) == 0 {
			blocked = append(blocked, c)
		}
	}
	return solution, board.NewPosition(n, placed, blocked)
}

// After every step, done or undone, the walk is at a solution of the board: on free
// cells and, together with the fixed queens, accepted by board.Verify.
func TestWalkStandsOnSolutions(t *testing.T) {
	for _, n := range []int{8, 13, 30, 64, 65, 100} {
		for seed := range uint64(8) {
			t.Run(fmt.Sprintf("n=%d seed=%d", n, seed), func(t *testing.T) {
				rng := rand.New(rand.NewPCG(seed, uint64(n)))
				solution, p := openBoard(t, n, rng)
				w := NewWalk(p, seed)
				w.Show(context.Background(), solution, make(bitset, len(p.Free)), nil)
				require.Equal(t, solution, w.Solution())
				reached := 0
				for range 300 {
					r, c := rng.IntN(n), rng.IntN(n)
					if !w.isFree(r, c) {
						continue
					}
					before := slices.Clone(w.Solution())
					if w.reach(r, c) {
						reached++
						require.EqualValues(t, c, w.Solution()[r])
					} else {
						require.Equal(t, before, w.Solution())
					}
					for row, col := range w.Solution() {
						require.True(t, p.Cols[row] == col || w.isFree(row, int(col)), "a queen off the free cells")
					}
					require.NoError(t, board.Verify(w.Solution()))
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
			solution, p := openBoard(t, n, rng)
			free := bitset(p.Free)
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
					if p.Cols[row] != col && !free[row:].has(int(col)) {
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
			w := NewWalk(p, seed)
			w.Show(context.Background(), solution, unseen, nil)
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
		p := board.NewPosition(n, nil, nil)
		w := NewWalk(p, 1)
		solution, ok := complete(w)
		require.True(t, ok)
		w.Show(context.Background(), slices.Clone(solution), slices.Clone(p.Free), nil)
		require.LessOrEqual(t, w.left, n*n/100)
	}
}

// With the symmetries of the empty board, the remaining cells are symmetric too.
func TestShowClearsImages(t *testing.T) {
	const n = 12
	p := board.NewPosition(n, nil, nil)
	w := NewWalk(p, 3)
	found, ok := complete(w)
	require.True(t, ok)
	solution, unseen := slices.Clone(found), bitset(slices.Clone(p.Free))
	all := []board.Symmetry{1, 2, 3, 4, 5, 6, 7}
	w.Show(context.Background(), solution, unseen, all)
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
