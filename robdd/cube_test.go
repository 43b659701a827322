package robdd

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestCubes combines boards and parts of boards with random cubes, with runs and
// without, in the original order and in a changed one. Both ways must make the same
// diagram, and the count of the conjunction must be the count under the cube's
// literals.
func TestCubes(t *testing.T) {
	ctx := context.Background()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	const vars = 25
	for round := range 30 {
		withRuns, err := NewManager(natural(vars), Config{})
		require.NoError(t, err)
		without, err := NewManager(natural(vars), Config{})
		require.NoError(t, err)
		require.True(t, without.expand())
		board, err := construct(withRuns, 5)
		require.NoError(t, err)
		same, err := construct(without, 5)
		require.NoError(t, err)
		if round%3 == 1 {
			order := natural(vars)
			r.Shuffle(vars, func(i, j int) { order[i], order[j] = order[j], order[i] })
			roots, others := []Func{board}, []Func{same}
			require.NoError(t, setOrder(withRuns, order, roots))
			require.NoError(t, setOrder(without, order, others))
			board, same = roots[0], others[0]
		}
		for range 20 {
			var lits []Lit
			for v := range Var(vars) {
				switch r.IntN(2 + round) { // few literals in later rounds
				case 0:
					lits = append(lits, Lit(v+1))
				case 1:
					lits = append(lits, -Lit(v+1))
				}
			}
			make := func(m *Manager, f Func) [3]*Diagram {
				cube := True
				for _, l := range lits {
					var err error
					cube, err = m.And(ctx, cube, literal(t, m, l))
					require.NoError(t, err)
				}
				and, err := m.And(ctx, f, cube)
				require.NoError(t, err)
				or, err := m.Or(ctx, cube, f)
				require.NoError(t, err)
				restricted, err := m.Restrict(ctx, f, lits...)
				require.NoError(t, err)
				require.NoError(t, m.Check())
				return [3]*Diagram{m.Freeze(and), m.Freeze(or), m.Freeze(restricted)}
			}
			got := make(withRuns, board)
			require.Equal(t, make(without, same), got, "literals %v", lits)
			under, err := NewCounter(withRuns.Freeze(board)).Count(ctx, lits)
			require.NoError(t, err)
			and, err := NewCounter(got[0]).Count(ctx, nil)
			require.NoError(t, err)
			require.Equal(t, under.String(), and.String(), "literals %v", lits)
		}
	}
}
