package encode

import (
	"math/rand/v2"
	"queens/encode/amo"
	"queens/encode/cnf/cnftest"
	"testing"

	"github.com/stretchr/testify/require"

	"queens/board"
	"queens/encode/cnf"
)

// allSolutions lists the solutions of size n, columns by row.
func allSolutions(n int) [][]int {
	var all [][]int
	cols := make([]int, n)
	var extend func(row int)
	extend = func(row int) {
		if row == n {
			all = append(all, append([]int(nil), cols...))
			return
		}
	next:
		for col := range n {
			for r := range row {
				if (board.Cell{Row: r, Col: cols[r]}).Attacks(board.Cell{Row: row, Col: col}) {
					continue next
				}
			}
			cols[row] = col
			extend(row + 1)
		}
	}
	extend(0)
	return all
}

// The board, before and after LookAhead, and the residual formula under each encoding have
// exactly the solutions of the problem under the assumptions.
func TestPositionKeepsTheSolutions(t *testing.T) {
	boards := uint64(150)
	if testing.Short() {
		boards = 30
	}
	for n := 1; n <= 7; n++ {
		all := allSolutions(n)
		for seed := range boards {
			rng := rand.New(rand.NewPCG(seed, uint64(n)))
			cell := func() board.Cell { return board.At(n, rng.IntN(n*n)) }
			var placed, blocked []board.Cell
			if rng.IntN(4) == 0 {
				placed = append(placed, cell())
			}
			if rng.IntN(4) == 0 {
				blocked = append(blocked, cell())
			}
			p, err := Queens(n, placed, blocked)
			require.NoError(t, err)
			var assume []cnf.Lit
			for range rng.IntN(5) {
				l := CellVar(n, cell()).Pos()
				if rng.IntN(2) == 0 {
					l = l.Not()
				}
				assume = append(assume, l)
			}
			want := 0
			for _, cols := range all {
				if holds(cols, p.Fixed) && holds(cols, assume) {
					want++
				}
			}
			r := p.Position(assume)
			for _, stage := range []string{"units", "look-ahead"} {
				if stage == "look-ahead" {
					r.LookAhead()
				}
				got := 0
				for _, cols := range all {
					if !r.Dead && onBoard(r, cols) {
						got++
						require.True(t, holds(cols, p.Fixed) && holds(cols, assume), "n=%d seed=%d %s", n, seed, stage)
					}
				}
				require.Equal(t, want, got, "n=%d seed=%d %s: solutions kept", n, seed, stage)
			}
			e := amo.All()[int(seed)%len(amo.All())]
			units := NewPropagator(p)
			if !units.Assume(assume) {
				require.Zero(t, want, "n=%d seed=%d", n, seed)
				continue
			}
			f, vars := units.Residual(func(int) amo.Encoding { return e })
			require.Equal(t, want, cnftest.Count(f, len(vars)), "n=%d seed=%d %s", n, seed, e.Name)
		}
	}
}

func holds(cols []int, lits []cnf.Lit) bool {
	for _, l := range lits {
		c := VarCell(len(cols), l.Var())
		if (cols[c.Row] == c.Col) != l.Positive() {
			return false
		}
	}
	return true
}

// onBoard reports whether each row's queen is the fixed one or on a free cell.
func onBoard(r *board.Position, cols []int) bool {
	for row, col := range cols {
		if fixed := r.Cols[row]; fixed >= 0 && fixed != int32(col) {
			return false
		} else if fixed < 0 && !r.IsFree(board.Cell{Row: row, Col: col}) {
			return false
		}
	}
	return true
}

// On boards wider than a machine word the free cells are those that no fixed
// queen attacks, and every open line has at least two.
func TestPositionOnWideBoards(t *testing.T) {
	for _, n := range []int{63, 64, 65, 130} {
		if testing.Short() && n > 65 {
			continue
		}
		rng := rand.New(rand.NewPCG(1, uint64(n)))
		p, err := Queens(n, nil, []board.Cell{{Row: n - 1, Col: n - 1}})
		require.NoError(t, err)
		var assume []cnf.Lit
		for r := p.Position(nil); len(assume) < n/3 && !r.Dead; r = p.Position(assume) {
			cells := r.Cells()
			var fixed []board.Cell
			for row, col := range r.Cols {
				if col >= 0 {
					fixed = append(fixed, board.Cell{Row: row, Col: int(col)})
				}
			}
			free := make(map[board.Cell]bool)
			perRow, perCol := make([]int, n), make([]int, n)
			for _, c := range cells {
				free[c] = true
				perRow[c.Row]++
				perCol[c.Col]++
			}
			for i := range n * n {
				c := board.At(n, i)
				want := c != board.Cell{Row: n - 1, Col: n - 1}
				for _, q := range fixed {
					want = want && c != q && !c.Attacks(q)
				}
				require.Equal(t, want, free[c], "n=%d %s", n, c)
			}
			for i := range n {
				require.NotEqual(t, 1, perRow[i])
				require.NotEqual(t, 1, perCol[i])
			}
			assume = append(assume, CellVar(n, cells[rng.IntN(len(cells))]).Pos())
		}
	}
}
