package robdd

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// reorderings are the ways to a better order.
var reorderings = map[string]func(*Manager, context.Context, ...Func) ([]Func, error){"sift": (*Manager).Sift, "window": (*Manager).Window}

// TestReorderQueens reorders real diagrams: the function stays the same, the size
// never grows, sifting decreases it, and restoring the old order restores the old diagram.
func TestReorderQueens(t *testing.T) {
	ctx := context.Background()
	for name, reorder := range reorderings {
		for _, c := range []struct{ n, solutions, before int }{{5, 10, 167}, {6, 4, 129}, {7, 40, 1099}} {
			m, err := NewManager(natural(c.n*c.n), Config{})
			require.NoError(t, err)
			f := queens(t, m, c.n)
			old := m.Freeze(f)
			require.Equal(t, c.before, m.NodeCount(f))
			better, err := reorder(m, ctx, f)
			require.NoError(t, err)
			require.NoError(t, m.Check())
			f = better[0]
			require.LessOrEqual(t, m.NodeCount(f), c.before, name)
			if name == "sift" {
				require.Less(t, m.NodeCount(f), c.before)
			}
			require.Equal(t, m.live, m.NodeCount(f))
			require.Equal(t, int64(c.solutions), m.SatCount(f).Int64())
			// Built directly in the order found, the function has the same size.
			direct, err := NewManager(m.order, Config{})
			require.NoError(t, err)
			g := queensAnyOrder(t, direct, c.n)
			require.Equal(t, m.Freeze(f), direct.Freeze(g))
			require.NoError(t, setOrder(m, natural(c.n*c.n), better))
			f = better[0]
			require.NoError(t, m.Check())
			require.Equal(t, old, m.Freeze(f))
		}
	}
}

// TestWindowFindsTheBest compares a window with every order of its three levels, each in a manager of its own.
func TestWindowFindsTheBest(t *testing.T) {
	ctx := context.Background()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 7))
	for range 50 {
		bits := make([]bool, 8)
		for i := range bits {
			bits[i] = r.IntN(2) == 0
		}
		m, err := NewManager(natural(3), Config{})
		require.NoError(t, err)
		better, err := m.Window(ctx, fromTable(t, m, bits))
		require.NoError(t, err)
		least := m.NodeCount(better...)
		for _, order := range [][]Var{{1, 2, 3}, {1, 3, 2}, {2, 1, 3}, {2, 3, 1}, {3, 1, 2}, {3, 2, 1}} {
			require.NoError(t, setOrder(m, order, better))
			require.GreaterOrEqual(t, m.NodeCount(better...), least, "%v in order %v", bits, order)
		}
	}
}

// setOrder changes the order by swaps of neighbours, and replaces the roots by their new nodes.
func setOrder(m *Manager, order []Var, roots []Func) error {
	return m.reorder(context.Background(), roots, func(s *sifter) bool {
		for level, v := range order {
			for int(m.levels[v-1]) > level {
				if !s.swap(int(m.levels[v-1]) - 1) {
					return false
				}
			}
		}
		return true
	})
}

// swapLevels exchanges the variables of a level and the one below it, and replaces the roots by their
// new nodes.
func swapLevels(m *Manager, level int, roots []Func) error {
	return m.reorder(context.Background(), roots, func(s *sifter) bool { return s.swap(level) })
}

// TestReorderingMeetsALimit stops each by a limit on nodes.
func TestReorderingMeetsALimit(t *testing.T) {
	for name, reorder := range reorderings {
		m, err := NewManager(natural(36), Config{})
		require.NoError(t, err)
		f := queens(t, m, 6)
		m.config.MaxNodes = m.NodeCount(f) + 3
		roots, err := reorder(m, context.Background(), f)
		var limit *LimitError
		require.ErrorAs(t, err, &limit, name)
		require.NoError(t, m.Check())
		require.Equal(t, int64(4), m.SatCount(roots[0]).Int64())
	}
}

// TestSwapsKeepEverything swaps at random with many functions alive: every node keeps
// its id and its function.
func TestSwapsKeepEverything(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 7))
	m, err := NewManager(natural(traceVars), Config{})
	require.NoError(t, err)
	var fs []Func
	var tables []truth
	for range 40 {
		table, bits := truth(r.Uint64()), make([]bool, 64)
		for a := range bits {
			bits[a] = table>>a&1 != 0
		}
		fs, tables = append(fs, fromTable(t, m, bits)), append(tables, table)
	}
	for range 200 {
		require.NoError(t, swapLevels(m, r.IntN(traceVars-1), fs))
		require.NoError(t, m.Check())
		for i, f := range fs {
			require.Equal(t, tables[i], tableOf(m, f))
		}
	}
	m.Collect(fs...)
	require.Equal(t, m.NodeCount(fs...), m.live)
}
