package portfolio

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends"
	"queens/backends/conformance"
	"queens/backends/search"
	"queens/encode"
)

func TestConformance(t *testing.T) {
	conformance.Run(t, Methods(), func(p encode.Problem) backends.Backend { return New(p) })
}

func TestUnknownMethod(t *testing.T) {
	_, err := New(queens(t, 4, "", "")).Valid(context.Background(), nil, "pack")
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

// Valid cells of such boards, including those that need exact search and gini in
// turn.
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
