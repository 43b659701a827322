package search

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends/diagram"
	"queens/encode/cnf"
	"queens/order"
)

// The proved minima. n = 5 takes half a minute: see slow_test.go.
func TestMinimumOfQueens(t *testing.T) {
	for n, want := range map[int]Sizes{1: {1, 1}, 2: {}, 3: {}, 4: {23, 8}, 6: {69, 24}} {
		for _, d := range []diagram.Kind{diagram.BDD, diagram.ZDD} {
			proveQueens(t, n, d, want.Of(d))
		}
	}
}

func proveQueens(t *testing.T, n int, d diagram.Kind, want int) {
	s := queens(t, n)
	proof, err := Minimum(context.Background(), s, d, Symmetries(n))
	require.NoError(t, err)
	assert.Equal(t, want, proof.Nodes, "n=%d %s", n, d)
	require.NoError(t, proof.Order.Check(n*n))
	assert.Equal(t, want, s.Sizes(proof.Order).Of(d), "the order has the size, n=%d %s", n, d)
}

// n = 4 by the second method, from the truth table that board.VerifyCells
// computes.
func TestMinimumByTables(t *testing.T) {
	for n, want := range map[int]Sizes{1: {1, 1}, 2: {}, 3: {}, 4: {23, 8}} {
		truth := truthTable(n)
		for _, d := range []diagram.Kind{diagram.BDD, diagram.ZDD} {
			proof, err := minimumByTables(context.Background(), truth, d)
			require.NoError(t, err)
			assert.Equal(t, want.Of(d), proof.Nodes, "n=%d %s", n, d)
			require.NoError(t, proof.Order.Check(n*n))
			assert.Equal(t, want.Of(d), queens(t, n).Sizes(proof.Order).Of(d))
		}
	}
}

// On random families of equally large sets, both methods return the minimum
// found by trying all orders.
func TestMinimumOverAllOrders(t *testing.T) {
	const seed = 6
	rng := rand.New(rand.NewPCG(seed, 0))
	for try := range 60 {
		vars := 2 + rng.IntN(5)
		size := 1 + rng.IntN(vars-1)
		var solutions [][]cnf.Var
		truth := make([]bool, 1<<vars)
		for a := range truth {
			if solution := trueVars(a); len(solution) == size && rng.IntN(2) == 0 {
				solutions = append(solutions, solution)
				truth[a] = true
			}
		}
		s, err := NewSizer(vars, solutions)
		require.NoError(t, err)
		least := Sizes{1 << 30, 1 << 30}
		permutations(vars, func(o order.Order) {
			sizes := s.Sizes(o)
			least = Sizes{min(least.BDD, sizes.BDD), min(least.ZDD, sizes.ZDD)}
		})
		for _, d := range []diagram.Kind{diagram.BDD, diagram.ZDD} {
			one, err := Minimum(context.Background(), s, d, nil)
			require.NoError(t, err)
			two, err := minimumByTables(context.Background(), truth, d)
			require.NoError(t, err)
			require.Equal(t, least.Of(d), one.Nodes, "seed %d try %d %s", seed, try, d)
			require.Equal(t, least.Of(d), two.Nodes, "seed %d try %d %s", seed, try, d)
			require.Equal(t, least.Of(d), s.Sizes(one.Order).Of(d))
			require.Equal(t, least.Of(d), s.Sizes(two.Order).Of(d))
		}
	}
}

func permutations(n int, visit func(order.Order)) {
	o := make(order.Order, 0, n)
	var extend func()
	extend = func() {
		if len(o) == n {
			visit(o)
			return
		}
		for v := cnf.Var(1); int(v) <= n; v++ {
			if !slices.Contains(o, v) {
				o = append(o, v)
				extend()
				o = o[:len(o)-1]
			}
		}
	}
	extend()
}

func TestMinimumRefuses(t *testing.T) {
	ctx := context.Background()
	_, err := Minimum(ctx, queens(t, 7), diagram.BDD, Symmetries(7))
	assert.ErrorIs(t, err, ErrTooMany)
	_, err = Minimum(ctx, queens(t, 9), diagram.BDD, nil)
	assert.ErrorIs(t, err, ErrTooMany)

	swap := Symmetries(4)[0]
	swap[0], swap[1] = swap[1], swap[0]
	_, err = Minimum(ctx, queens(t, 4), diagram.BDD, [][]cnf.Var{swap})
	assert.ErrorContains(t, err, "symmetry 1 does not map every solution to a solution")
	_, err = Minimum(ctx, queens(t, 4), diagram.BDD, [][]cnf.Var{{1, 1}})
	assert.ErrorContains(t, err, "symmetry 1: 2 variables, but there are 16")

	_, err = minimumByTables(ctx, make([]bool, 3), diagram.BDD)
	assert.ErrorContains(t, err, "expected a power of two")
	stopped, stop := context.WithCancel(ctx)
	stop()
	_, err = minimumByTables(stopped, make([]bool, 4), diagram.BDD)
	assert.ErrorIs(t, err, context.Canceled)
}
