package robdd

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSiftQueens sifts real diagrams: the function stays the same, the size
// decreases, and restoring the old order restores the old diagram.
func TestSiftQueens(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct{ n, solutions, before int }{{5, 10, 167}, {6, 4, 129}, {7, 40, 1099}} {
		m, err := NewManager(natural(c.n*c.n), Config{})
		require.NoError(t, err)
		f := queens(t, m, c.n)
		old := m.Freeze(f)
		require.Equal(t, c.before, m.NodeCount(f))
		sifted, err := m.Sift(ctx, f)
		require.NoError(t, err)
		require.NoError(t, m.Check())
		f = sifted[0]
		require.Less(t, m.NodeCount(f), c.before)
		require.Equal(t, m.live, m.NodeCount(f))
		require.Equal(t, int64(c.solutions), m.SatCount(f).Int64())
		// Built directly in the order found, the function has the same size.
		direct, err := NewManager(m.order, Config{})
		require.NoError(t, err)
		g := queensAnyOrder(t, direct, c.n)
		require.Equal(t, m.Freeze(f), direct.Freeze(g))
		require.NoError(t, setOrder(m, natural(c.n*c.n), sifted))
		f = sifted[0]
		require.NoError(t, m.Check())
		require.Equal(t, old, m.Freeze(f))
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

// TestSiftMeetsALimit stops sifting by a limit on nodes.
func TestSiftMeetsALimit(t *testing.T) {
	ctx := context.Background()
	m, err := NewManager(natural(36), Config{})
	require.NoError(t, err)
	f := queens(t, m, 6)
	m.config.MaxNodes = m.NodeCount(f) + 3
	sifted, err := m.Sift(ctx, f)
	var limit *LimitError
	require.ErrorAs(t, err, &limit)
	require.NoError(t, m.Check())
	require.Equal(t, int64(4), m.SatCount(sifted[0]).Int64())
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
