package portfolio

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends"
	"queens/backends/conformance"
	"queens/backends/search"
	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
	"queens/encode/encodetest"
)

func TestConformance(t *testing.T) {
	conformance.Run(t, Methods(), func(p encode.Problem) backends.Backend { return New(p) })
}

func TestUnknownMethod(t *testing.T) {
	_, err := New(encodetest.Queens(t, 4, "", "")).Valid(context.Background(), nil, "pack")
	assert.ErrorContains(t, err, "back-end portfolio has staged")
}

// On boards with diagonals excluded the portfolio agrees with exact search, and places
// no more queens than it does alone, so its time is never much longer.
func TestDiagonalsCostNoMoreThanSearch(t *testing.T) {
	verdicts := map[backends.Status]int{}
	for _, n := range []int{8, 12, 15, 16, 17} {
		for _, p := range excluded(t, n, 20) {
			exact := search.New(p)
			want, err := exact.Solve(context.Background(), nil)
			require.NoError(t, err)
			o := New(p)
			got, err := o.Solve(context.Background(), nil)
			require.NoError(t, err)
			require.Equal(t, want.Status, got.Status)
			require.LessOrEqual(t, o.exact.Visited(), exact.Visited())
			verdicts[got.Status]++
		}
	}
	require.Greater(t, verdicts[backends.Sat], 10)
	require.Greater(t, verdicts[backends.Unsat], 10)
}

// Valid cells of such boards, including those that need exact search.
func TestValidCellsWithDiagonalsExcluded(t *testing.T) {
	for _, n := range []int{8, 12, 15, 16} {
		for _, p := range excluded(t, n, 10) {
			want, err := search.New(p).Valid(context.Background(), nil, "")
			require.NoError(t, err)
			o := New(p)
			got, err := o.Valid(context.Background(), nil, "")
			require.NoError(t, err)
			require.Equal(t, want.Possible, got.Possible)
			require.Equal(t, want.Forced, got.Forced)
		}
	}
}

// Listing goes from one solution to the next by Solve until few rows are open, however few: it yields each solution once.
// Of an empty large board the first come at once.
func TestListsLargeBoards(t *testing.T) {
	ctx := context.Background()
	for n := 1; n <= 8; n++ {
		p := encodetest.Queens(t, n, "", "")
		for _, assume := range [][]cnf.Lit{nil, {1}, {-1, -2}, {1, -1}} {
			if n == 1 && len(assume) > 1 {
				continue
			}
			var want, got []string
			add := func(list *[]string) func([]cnf.Lit, error) bool {
				return func(model []cnf.Lit, err error) bool {
					*list = append(*list, fmt.Sprint(model, err))
					return true
				}
			}
			search.New(p).Solutions(ctx, assume)(add(&want))
			require.True(t, New(p).list(ctx, search.New(p), n%3, assume, add(&got)))
			slices.Sort(want)
			slices.Sort(got)
			require.Equal(t, want, got, "n = %d under %v", n, assume)
		}
	}
	seen := map[string]bool{}
	for model, err := range New(encodetest.Queens(t, 200, "", "")).Solutions(ctx, nil) {
		require.NoError(t, err)
		require.NoError(t, board.VerifyCells(200, encode.CellsOf(200, model)))
		if seen[fmt.Sprint(model)] = true; len(seen) == 5 {
			break
		}
	}
	require.Len(t, seen, 5)
}
