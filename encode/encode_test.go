package encode

import (
	"queens/encode/amo"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/board"
	"queens/encode/cnf"
)

func TestVariablesAreRowMajorFromOne(t *testing.T) {
	assert.Equal(t, cnf.Var(1), CellVar(8, board.Cell{}))
	assert.Equal(t, cnf.Var(64), CellVar(8, board.Cell{Row: 7, Col: 7}))
	assert.Equal(t, board.Cell{Row: 1, Col: 0}, VarCell(8, 9))
	p, err := Queens(8, nil, nil)
	require.NoError(t, err)
	assert.Equal(t, "a2", p.VarName(9))
	assert.Equal(t, "x65", p.VarName(65))
}

// On each of the 2^(n*n) boards the clauses have the value that board.Verify
// reports, with and without placed queens and blocked cells.
func TestCNFOnEveryBoardOfFour(t *testing.T) {
	type input struct{ placed, blocked string }
	for _, in := range []input{{}, {placed: "b1"}, {blocked: "b1"}, {placed: "a1"}, {placed: "a1,a2"}, {"b1", "b1"}} {
		for n := 1; n <= 4; n++ {
			placed, err := board.ParseCells(4, in.placed)
			require.NoError(t, err)
			blocked, err := board.ParseCells(4, in.blocked)
			require.NoError(t, err)
			if n < 4 {
				placed, blocked = nil, nil
			}
			p, err := Queens(n, placed, blocked)
			require.NoError(t, err)
			f := p.CNF(amo.Pairwise)
			require.Equal(t, n*n, f.Vars)
			for bits := range 1 << (n * n) {
				value := make([]bool, n*n)
				var queens []board.Cell
				for i := range value {
					if value[i] = bits>>i&1 == 1; value[i] {
						queens = append(queens, board.At(n, i))
					}
				}
				want := board.VerifyCells(n, queens) == nil
				for _, c := range placed {
					want = want && value[c.Index(n)]
				}
				for _, c := range blocked {
					want = want && !value[c.Index(n)]
				}
				require.Equal(t, want, f.Eval(value), "n=%d %v: %v", n, in, queens)
			}
		}
	}
}

func TestPairwiseSizes(t *testing.T) {
	for n := 1; n <= 12; n++ {
		p, err := Queens(n, nil, nil)
		require.NoError(t, err)
		pairs := 0 // pairs of cells that attack each other
		for i := range n * n {
			for j := range i {
				if board.At(n, i).Attacks(board.At(n, j)) {
					pairs++
				}
			}
		}
		assert.Equal(t, 2*n+pairs, p.CNF(amo.Pairwise).NumClauses())
	}
}

func TestQueensRefusesWhatIsNoBoard(t *testing.T) {
	for _, n := range []int{0, -1, MaxN + 1} {
		_, err := Queens(n, nil, nil)
		assert.ErrorContains(t, err, "expected 1 to")
	}
	_, err := Queens(4, []board.Cell{{Row: 4}}, nil)
	assert.ErrorContains(t, err, "placed queens: cell a5 is off the board")
	_, err = Queens(4, nil, []board.Cell{{}, {}})
	assert.ErrorContains(t, err, "blocked cells: cell a1 is given twice")
}
