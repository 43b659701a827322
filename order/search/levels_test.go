package search

import (
	"context"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/encode/cnf"
	"queens/order"
)

// With trees of unlimited size, each width is the least over all sets: on a board of
// four all 2^16 sets are tried, and for random families all sets too.
func TestLevelBoundsAreExact(t *testing.T) {
	const seed = 14
	rng := rand.New(rand.NewPCG(seed, 0))
	check := func(s *Sizer, symmetries [][]cnf.Var) {
		bounds, err := LevelBounds(context.Background(), s, symmetries, 1<<40, 2)
		require.NoError(t, err)
		least := leastWidths(s)
		for above, b := range bounds {
			require.Equal(t, above, b.Above)
			require.Equal(t, least[above], b.Width, "seed %d", seed)
			require.True(t, b.Exact)
			require.Equal(t, above, bits.OnesCount64(b.set))
		}
	}
	check(queens(t, 4), Symmetries(4))
	check(queens(t, 4), nil)
	for range 40 {
		var solutions [][]cnf.Var
		for a := range 1 << 8 {
			if solution := trueVars(a); len(solution) == 3 && rng.IntN(4) == 0 {
				solutions = append(solutions, solution)
			}
		}
		s, err := NewSizer(8, solutions)
		require.NoError(t, err)
		check(s, nil)
	}
}

// leastWidths tries every set of variables above, using an order that begins with
// it.
func leastWidths(s *Sizer) []int {
	least := make([]int, s.vars)
	widths, zdd := make([]int, s.vars), make([]int, s.vars)
	for set := range 1<<s.vars - 1 {
		var o, rest order.Order
		for v := range s.vars {
			if set>>v&1 != 0 {
				o = append(o, cnf.Var(v+1))
			} else {
				rest = append(rest, cnf.Var(v+1))
			}
		}
		above := len(o)
		s.Widths(append(o, rest...), widths, zdd)
		if least[above] == 0 || widths[above] < least[above] {
			least[above] = widths[above]
		}
	}
	return least
}

// The sum is below the proved minimum, and close to it at n = 5; and no level of any
// order is below its bound.
func TestLevelBoundsHold(t *testing.T) {
	for n, want := range map[int]struct{ nodes, sum, minimum int }{
		4: {1 << 20, 16, 23}, 5: {1 << 20, 139, 145}, 6: {1 << 20, 47, 69}, 7: {1000, 119, 889},
	} {
		s := queens(t, n)
		bounds, err := LevelBounds(context.Background(), s, Symmetries(n), int64(want.nodes), 2)
		require.NoError(t, err)
		sum := 0
		for _, b := range bounds {
			sum += b.Width
		}
		assert.Equal(t, want.sum, sum, "n=%d", n)
		assert.LessOrEqual(t, sum, want.minimum)
		widths, zdd := make([]int, n*n), make([]int, n*n)
		for _, o := range order.All() {
			s.Widths(o.Of(n), widths, zdd)
			for above, width := range widths {
				require.LessOrEqual(t, bounds[above].Width, width, "%s n=%d", o.Name, n)
			}
		}
	}
}

func TestLevelBoundsDoNotDependOnWorkers(t *testing.T) {
	s := queens(t, 7)
	one, err := LevelBounds(context.Background(), s, Symmetries(7), 500, 1)
	require.NoError(t, err)
	three, err := LevelBounds(context.Background(), s, Symmetries(7), 500, 3)
	require.NoError(t, err)
	assert.Equal(t, one, three)
}

func TestLevelBoundsRefuse(t *testing.T) {
	ctx := context.Background()
	_, err := LevelBounds(ctx, queens(t, 8), Symmetries(8), 100, 1)
	assert.ErrorIs(t, err, ErrTooMany)
	_, err = LevelBounds(ctx, queens(t, 3), Symmetries(3), 100, 1)
	assert.ErrorIs(t, err, ErrTooMany)
	swap := Symmetries(4)[0]
	swap[0], swap[1] = swap[1], swap[0]
	_, err = LevelBounds(ctx, queens(t, 4), [][]cnf.Var{swap}, 100, 1)
	assert.ErrorContains(t, err, "symmetry 1 does not map every solution to a solution")
	stopped, stop := context.WithCancel(ctx)
	stop()
	_, err = LevelBounds(stopped, queens(t, 7), Symmetries(7), 1<<40, 1)
	assert.ErrorIs(t, err, context.Canceled)
}
