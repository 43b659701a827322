package optimize

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends/bdd"
	"queens/encode"
	"queens/encode/cnf"
	"queens/order"
	"queens/robdd"
)

// The proved minima. n = 5 takes half a minute: see slow_test.go.
func TestMinimumOfQueens(t *testing.T) {
	for n, want := range map[int]Sizes{1: {1, 1}, 2: {}, 3: {}, 4: {23, 8}, 6: {69, 24}} {
		for _, d := range []robdd.Kind{robdd.BDD, robdd.ZDD} {
			proveQueens(t, n, d, want.Of(d))
		}
	}
}

func proveQueens(t *testing.T, n int, d robdd.Kind, want int) {
	s := queens(t, n)
	o, nodes, err := Minimum(context.Background(), s, d, Symmetries(n))
	require.NoError(t, err)
	assert.Equal(t, want, nodes, "n=%d %s", n, d)
	require.NoError(t, o.Check(n*n))
	p, err := encode.Queens(n, nil, nil)
	require.NoError(t, err)
	c, err := bdd.Compile(context.Background(), p, o, bdd.Options{})
	require.NoError(t, err)
	assert.Equal(t, want, c.Nodes(d), "the order has the size, n=%d %s", n, d)
}

// n = 4 by the second method, from the truth table that board.VerifyCells
// computes.
func TestMinimumByTables(t *testing.T) {
	for n, want := range map[int]Sizes{1: {1, 1}, 2: {}, 3: {}, 4: {23, 8}} {
		truth := truthTable(n)
		for _, d := range []robdd.Kind{robdd.BDD, robdd.ZDD} {
			if testing.Short() && n == 4 && d == robdd.BDD {
				continue // takes a second
			}
			o, nodes := minimumByTables(truth, d)
			assert.Equal(t, want.Of(d), nodes, "n=%d %s", n, d)
			require.NoError(t, o.Check(n*n))
			assert.Equal(t, want.Of(d), queens(t, n).Sizes(o).Of(d))
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
		s := ofSets(t, vars, solutions)
		least := Sizes{1 << 30, 1 << 30}
		permutations(vars, func(o order.Order) {
			sizes := s.Sizes(o)
			least = Sizes{min(least.BDD, sizes.BDD), min(least.ZDD, sizes.ZDD)}
		})
		for _, d := range []robdd.Kind{robdd.BDD, robdd.ZDD} {
			one, nodes, err := Minimum(context.Background(), s, d, nil)
			require.NoError(t, err)
			require.Equal(t, least.Of(d), nodes, "seed %d try %d %s", seed, try, d)
			require.Equal(t, least.Of(d), s.Sizes(one).Of(d))
			two, nodes := minimumByTables(truth, d)
			require.Equal(t, least.Of(d), nodes, "seed %d try %d %s", seed, try, d)
			require.Equal(t, least.Of(d), s.Sizes(two).Of(d))
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

func TestMinimumStops(t *testing.T) {
	stopped, stop := context.WithCancel(context.Background())
	stop()
	_, _, err := Minimum(stopped, queens(t, 5), robdd.BDD, nil)
	assert.ErrorIs(t, err, context.Canceled)
}
