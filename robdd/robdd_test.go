package robdd

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

// queens builds the diagram of the n-queens problem: for each row one of its queens,
// each with all lower cells in the order that it attacks.
func queens(t testing.TB, m *Manager, n int) Func {
	ctx := context.Background()
	board := True
	for r := range n {
		row := False
		for c := range n {
			cell := True
			for v := n*n - 1; v >= 0; v-- {
				i, j := v/n, v%n
				var err error
				switch {
				case i == r && j == c:
					cell, err = m.Mk(Var(v+1), False, cell)
				case i == r || j == c || i-j == r-c || i+j == r+c:
					cell, err = m.Mk(Var(v+1), cell, False)
				}
				require.NoError(t, err)
			}
			var err error
			row, err = m.Or(ctx, row, cell)
			require.NoError(t, err)
		}
		var err error
		board, err = m.And(ctx, board, row)
		require.NoError(t, err)
		m.Collect(board)
	}
	return board
}

// queensAnyOrder builds the same function by conjunctions alone, for any order.
func queensAnyOrder(t testing.TB, m *Manager, n int) Func {
	ctx := context.Background()
	must := func(f Func, err error) Func {
		require.NoError(t, err)
		return f
	}
	lit := func(r, c int, sign Lit) Func { return literal(t, m, sign*Lit(r*n+c+1)) }
	board := True
	for r := range n {
		row := False
		for c := range n {
			row = must(m.Or(ctx, row, lit(r, c, 1)))
		}
		board = must(m.And(ctx, board, row))
		for c := range n {
			none := True
			for i := range n {
				for j := range n {
					if (i != r || j != c) && (i == r || j == c || i-j == r-c || i+j == r+c) {
						none = must(m.And(ctx, none, lit(i, j, -1)))
					}
				}
			}
			board = must(m.And(ctx, board, must(m.Or(ctx, lit(r, c, -1), none))))
		}
	}
	return board
}

func natural(n int) []Var {
	order := make([]Var, n)
	for i := range order {
		order[i] = Var(i + 1)
	}
	return order
}

func TestQueens(t *testing.T) {
	for _, c := range []struct{ n, bdd, zdd, solutions int }{{5, 167, 40, 10}, {6, 129, 24, 4}, {7, 1099, 186, 40}, {8, 2451, 373, 92}} {
		m, err := NewManager(natural(c.n*c.n), Config{})
		require.NoError(t, err)
		f := queens(t, m, c.n)
		d := m.Freeze(f)
		require.NoError(t, d.Check())
		require.Equal(t, c.bdd, d.Len())
		require.Equal(t, int64(c.solutions), m.SatCount(f).Int64())
		z := d.Convert(ZDD)
		require.NoError(t, z.Check())
		require.Equal(t, c.zdd, z.Len())
		require.Equal(t, c.zdd, d.ConvertedLen(ZDD))
		require.Equal(t, c.bdd, z.ConvertedLen(BDD))
		require.True(t, d.Equal(z.Convert(BDD)))
		count, err := NewCounter(z).Count(context.Background(), nil)
		require.NoError(t, err)
		require.Equal(t, int64(c.solutions), count.Int64())
		g, err := m.Thaw(context.Background(), z)
		require.NoError(t, err)
		require.Equal(t, f, g)
	}
}
