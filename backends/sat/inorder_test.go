package sat

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends"
	"queens/backends/oracletest"
	"queens/backends/search"
	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
)

func TestSolutionsInOrder(t *testing.T) {
	ctx := context.Background()
	for n := 1; n <= 8; n++ {
		all := oracletest.Queens(n) // in lexicographic order
		for _, placed := range []string{"", "b1", "a1"} {
			if n < 2 && placed != "" {
				continue
			}
			o := New(queens(t, n, placed, ""))
			assume := encode.Literals(n, o.problem.Placed(), true)
			var want [][]int
			for _, cols := range all {
				if placed == "" || cols[0] == o.problem.Placed()[0].Col {
					want = append(want, cols)
				}
			}
			var got [][]int
			for model, err := range o.SolutionsInOrder(ctx, assume) {
				require.NoError(t, err)
				got = append(got, columns(n, model))
			}
			require.Equal(t, want, got, "n=%d %s", n, placed)
		}
	}
}

// The first few of a board with very many, with other questions in between.
func TestFirstSolutionsInOrder(t *testing.T) {
	o := New(queens(t, 16, "", ""))
	var got [][]int
	for model, err := range o.SolutionsInOrder(context.Background(), nil) {
		require.NoError(t, err)
		got = append(got, columns(16, model))
		if len(got) == 5 {
			break
		}
		_, err := o.Solve(context.Background(), []cnf.Lit{cnf.Lit(len(got))})
		require.NoError(t, err)
	}
	require.Len(t, got, 5)
	assert.True(t, slices.IsSortedFunc(got, slices.Compare))
	first, err := search.New(queens(t, 16, "", "")).Solve(context.Background(), encode.Literals(16, board.Queens(got[0])[:4], true))
	require.NoError(t, err)
	assert.Equal(t, backends.Sat, first.Status)
	assert.Equal(t, []int{0, 2, 4, 1, 12, 8}, got[0][:6], "as plain backtracking finds it")

	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	for _, err := range o.SolutionsInOrder(cancelled, nil) {
		require.ErrorIs(t, err, context.Canceled)
	}
	for _, err := range o.SolutionsInOrder(context.Background(), []cnf.Lit{999}) {
		require.ErrorContains(t, err, "assumption 999")
	}
}

// columns turns a model into the column of each row's queen.
func columns(n int, model []cnf.Lit) []int {
	cols := make([]int, n)
	for _, l := range model {
		if l.Positive() {
			c := encode.VarCell(n, l.Var())
			cols[c.Row] = c.Col
		}
	}
	return cols
}
