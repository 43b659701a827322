package portfolio

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends"
	"queens/backends/localsearch"
	"queens/backends/sat"
	"queens/backends/search"
	"queens/board"
	"queens/encode"
	"queens/encode/amo"
	"queens/encode/cnf"
	"queens/encode/encodetest"
	"queens/internal/contexttest"
)

// randomPlacement takes queens of a random solution, so that the placement can be
// completed, and then sometimes one more, which may make that impossible.
func randomPlacement(t testing.TB, n, queens int, seed uint64) []board.Cell {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, uint64(n)))
	w := localsearch.NewWalk(board.NewPosition(n, nil, nil), seed)
	require.True(t, w.Complete(context.Background(), 1000+20*n))
	cols := w.Solution()
	var placed []board.Cell
	for _, row := range rng.Perm(n)[:queens] {
		placed = append(placed, board.Cell{Row: row, Col: int(cols[row])})
	}
	return placed
}

// Each part, made to do the work alone, against exact search.
func TestPartsAgainstSearch(t *testing.T) {
	ctx := context.Background()
	steps := map[string][]func(*question, context.Context) error{
		"all but the first":     {(*question).explore, (*question).backtrack, (*question).refine, (*question).finish},
		"backtrack":             {(*question).backtrack},
		"last, on words":        {(*question).finish},
		"first and last, words": {(*question).explore, (*question).refine, (*question).finish},
	}
	for _, n := range []int{8, 10, 14, 18} {
		for seed := range uint64(8) {
			placed := randomPlacement(t, n, n/3+int(seed)%4, seed)
			rng := rand.New(rand.NewPCG(seed, 5))
			var blocked []board.Cell
			for range rng.IntN(n) {
				if c := board.At(n, rng.IntN(n*n)); !slices.Contains(blocked, c) {
					blocked = append(blocked, c) // maybe under a queen: no solution then
				}
			}
			p, err := encode.Queens(n, placed, blocked)
			require.NoError(t, err)
			want, err := search.New(p).Valid(ctx, nil, "")
			require.NoError(t, err)
			for name, steps := range steps {
				for _, lookAhead := range []bool{false, true} {
					o := New(p)
					if strings.Contains(name, "words") {
						o.exact = nil // as on larger boards
					}
					q := o.question(nil)
					if lookAhead && !q.board.Dead {
						q.board.LookAhead()
						copy(q.unseen, q.board.Free)
						q.refuted = q.board.Dead
					}
					for _, step := range steps {
						if !q.done() {
							require.NoError(t, step(q, ctx))
						}
					}
					require.True(t, q.done(), "n=%d seed=%d %s", n, seed, name)
					require.Equal(t, want.Possible, q.valid().Possible, "n=%d seed=%d %s", n, seed, name)
				}
			}
		}
	}
}

func TestWideBoards(t *testing.T) {
	ctx := context.Background()
	for _, in := range []struct{ n, queens int }{{65, 20}, {70, 52}, {100, 0}, {130, 100}} {
		if testing.Short() && in.n == 130 {
			continue
		}
		placed := randomPlacement(t, in.n, in.queens, 1)
		p, err := encode.Queens(in.n, placed, nil)
		require.NoError(t, err)
		got, err := New(p).Valid(ctx, nil, "")
		require.NoError(t, err)
		require.Len(t, placed, in.queens)
		possible := make(map[cnf.Var]bool)
		for _, v := range got.Possible {
			possible[v] = true
		}
		for _, c := range placed {
			require.True(t, possible[encode.CellVar(in.n, c)])
		}
		// Every free cell is shown or refuted; ask another solver about a few.
		rng := rand.New(rand.NewPCG(3, uint64(in.n)))
		units := encode.NewPropagator(p)
		require.True(t, units.Assume(nil))
		f, vars := units.Residual(func(int) amo.Encoding { return amo.Sequential })
		s := sat.Gini(f)
		for range min(12, len(vars)) {
			i := rng.IntN(len(vars))
			status, _, err := s.Solve(ctx, []cnf.Lit{cnf.Lit(i + 1)})
			require.NoError(t, err)
			require.Equal(t, status == backends.Sat, possible[vars[i]], "n=%d %s", in.n, p.VarName(vars[i]))
		}
	}
}

// The last part alone, where more rows are open than a word has bits, against gini. Few cells of each row are free: those
// of some solutions, and some at random.
func TestLastPartOfWideBoards(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(2) {
		const n = 66
		rng := rand.New(rand.NewPCG(seed, n))
		free := map[board.Cell]bool{}
		for k := range 2 * seed { // none at first
			for _, c := range randomPlacement(t, n, n, 10*seed+k) {
				free[c] = true
			}
		}
		var blocked []board.Cell
		for i := range n * n {
			if c := board.At(n, i); !free[c] && rng.IntN(n) > 0 {
				blocked = append(blocked, c)
			}
		}
		p, err := encode.Queens(n, nil, blocked)
		require.NoError(t, err)
		want, err := sat.New(p).Valid(ctx, nil, "")
		require.NoError(t, err)
		require.Equal(t, seed > 0, want.Satisfiable)
		q := New(p).question(nil)
		if q.solution == nil && !q.refuted {
			require.Greater(t, q.board.Open(), search.MaxRows)
			require.NoError(t, q.finish(ctx))
		}
		require.Equal(t, want.Possible, q.valid().Possible, "seed %d", seed)
	}
}

func TestSymmetriesOfAQuestion(t *testing.T) {
	assert.Len(t, board.Keeping(8, encodetest.Queens(t, 8, "", "").Values(nil)), 7)
	assert.Empty(t, board.Keeping(8, encodetest.Queens(t, 8, "b1", "").Values(nil)))
	assert.Equal(t, []board.Symmetry{board.Transpose}, board.Keeping(8, encodetest.Queens(t, 8, "a1", "").Values(nil)))
	assert.Len(t, board.Keeping(8, encodetest.Queens(t, 8, "", "a1,a8,h1,h8").Values(nil)), 7)
	assert.Empty(t, board.Keeping(8, encodetest.Queens(t, 8, "", "a1,a8,h1,h8").Values([]cnf.Lit{2})))
	assert.Empty(t, board.Keeping(8, encodetest.Queens(t, 8, "a1", "h8").Values([]cnf.Lit{-2})))
}

func BenchmarkValid(b *testing.B) {
	for _, in := range []struct{ n, queens int }{{8, 0}, {20, 0}, {50, 0}, {50, 25}, {100, 0}, {100, 50}, {200, 0},
		{200, 20}, {200, 100}} {
		b.Run(fmt.Sprintf("n=%d/placed=%d", in.n, in.queens), func(b *testing.B) {
			var problems []encode.Problem
			for seed := range uint64(16) {
				p, err := encode.Queens(in.n, randomPlacement(b, in.n, in.queens, seed), nil)
				require.NoError(b, err)
				problems = append(problems, p)
			}
			for i := 0; b.Loop(); i++ {
				_, err := New(problems[i%len(problems)]).Valid(context.Background(), nil, "")
				require.NoError(b, err)
			}
		})
	}
}

// Whenever the context ends on a large board, the question ends with its error, before the
// walk has shown all cells.
func TestContextEndsLocalSearch(t *testing.T) {
	const n = 200
	o := New(encodetest.Queens(t, n, "", ""))
	for left := range 12 {
		_, err := o.Valid(contexttest.After(left), nil, "")
		require.ErrorIs(t, err, context.Canceled, "after %d questions", left)
	}
	found, err := o.Valid(context.Background(), nil, "")
	require.NoError(t, err)
	require.Len(t, found.Possible, n*n)
}
