package sat

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends"
	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
)

func queens(t testing.TB, n int, placed, blocked string) encode.Problem {
	t.Helper()
	p, err := board.ParseCells(n, placed)
	require.NoError(t, err)
	b, err := board.ParseCells(n, blocked)
	require.NoError(t, err)
	problem, err := encode.Queens(n, p, b)
	require.NoError(t, err)
	return problem
}

// everySolution lists the solutions of size n by trying all permutations.
func everySolution(n int) [][]int {
	var found [][]int
	cols := make([]int, 0, n)
	var extend func()
	extend = func() {
		if len(cols) == n {
			if board.Verify(cols) == nil {
				found = append(found, slices.Clone(cols))
			}
			return
		}
		for c := range n {
			if !slices.Contains(cols, c) {
				cols = append(cols, c)
				extend()
				cols = cols[:len(cols)-1]
			}
		}
	}
	extend()
	return found
}

// holds reports whether the solution meets the literals.
func holds(cols []int, lits []cnf.Lit) bool {
	for _, l := range lits {
		c := encode.VarCell(len(cols), l.Var())
		if (cols[c.Row] == c.Col) != l.Positive() {
			return false
		}
	}
	return true
}

// randomAssumptions puts a few queens and empty cells anywhere, attacked or not.
func randomAssumptions(rng *rand.Rand, n int) []cnf.Lit {
	var lits []cnf.Lit
	for range rng.IntN(4) {
		l := cnf.Lit(1 + rng.IntN(n*n))
		if rng.IntN(3) == 0 {
			l = -l
		}
		lits = append(lits, l)
	}
	return lits
}

func TestEveryMethodAgainstAllSolutions(t *testing.T) {
	ctx := context.Background()
	for n := 1; n <= 6; n++ {
		all := everySolution(n)
		for seed := range uint64(12) {
			rng := rand.New(rand.NewPCG(seed, uint64(n)))
			p := queens(t, n, "", "")
			if seed%3 == 1 {
				p.Blocked = []board.Cell{board.At(n, rng.IntN(n*n))}
			}
			if seed%3 == 2 {
				p.Placed = []board.Cell{board.At(n, rng.IntN(n*n))}
			}
			o := New(p)
			for range 6 {
				assume := randomAssumptions(rng, n)
				var possible, forced []cnf.Var
				through := make([]int, n*n)
				solutions := 0
				for _, cols := range all {
					if holds(cols, assume) && holds(cols, p.Units()) {
						solutions++
						for _, c := range board.Queens(cols) {
							through[c.Index(n)]++
						}
					}
				}
				for i, k := range through {
					if k > 0 {
						possible = append(possible, cnf.Var(i+1))
					}
					if k > 0 && k == solutions {
						forced = append(forced, cnf.Var(i+1))
					}
				}
				for _, method := range o.Methods() {
					got, err := o.Valid(ctx, assume, method)
					require.NoError(t, err)
					require.Equal(t, possible, got.Possible, "n=%d seed=%d %s %v", n, seed, method, assume)
					require.Equal(t, forced, got.Forced, "n=%d seed=%d %s %v", n, seed, method, assume)
				}
				answer, err := o.Solve(ctx, assume)
				require.NoError(t, err)
				require.Equal(t, solutions > 0, answer.Status == backends.Sat, "n=%d seed=%d %v", n, seed, assume)
				if answer.Status == backends.Unsat {
					require.Subset(t, assume, answer.Core)
				}
				count := 0
				seen := map[string]bool{}
				for model, err := range o.Solutions(ctx, assume) {
					require.NoError(t, err)
					cols := columns(n, model)
					require.True(t, holds(cols, assume) && holds(cols, p.Units()))
					seen[board.FormatCells(board.Queens(cols))] = true
					count++
				}
				require.Equal(t, solutions, count)
				require.Len(t, seen, count)
			}
		}
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

func TestEnumerationMeetsKnownCounts(t *testing.T) {
	for n, want := range map[int]int{1: 1, 2: 0, 3: 0, 4: 2, 7: 40, 8: 92} { // OEIS A000170
		got := 0
		for _, err := range New(queens(t, n, "", "")).Solutions(context.Background(), nil) {
			require.NoError(t, err)
			got++
		}
		assert.Equal(t, want, got, "n=%d", n)
	}
}

func TestEnumerationCanStopAndStartAgain(t *testing.T) {
	o := New(queens(t, 8, "a1", ""))
	list := func(limit int) (got [][]cnf.Lit) {
		for model, err := range o.Solutions(context.Background(), nil) {
			require.NoError(t, err)
			got = append(got, model)
			if len(got) == limit {
				break
			}
		}
		return got
	}
	all := list(-1)
	assert.Len(t, all, 4)
	assert.Equal(t, all[:2], list(2), "the same order at each call")
	answer, err := o.Solve(context.Background(), nil)
	require.NoError(t, err)
	assert.Equal(t, backends.Sat, answer.Status, "blocking clauses stay with the enumeration")
}

// Reuse asks at most once for each cell and less wherever a model shows more.
func TestWorkIsReported(t *testing.T) {
	p := queens(t, 8, "", "")
	naive, err := New(p).Valid(context.Background(), nil, "per-cell")
	require.NoError(t, err)
	assert.Equal(t, int64(64), naive.Work.Of("solves"))
	assert.Equal(t, int64(64), naive.Work.Of("models"))
	reuse, err := New(p).Valid(context.Background(), nil, "reuse")
	require.NoError(t, err)
	assert.Less(t, reuse.Work.Of("solves"), int64(40))
	assert.GreaterOrEqual(t, reuse.Work.Of("solves"), int64(8))
}

func TestUnknownMethodListsTheKnown(t *testing.T) {
	_, err := New(queens(t, 4, "", "")).Valid(context.Background(), nil, "pre-cell")
	assert.ErrorContains(t, err, `method "pre-cell": back-end sat has `)
	assert.ErrorContains(t, err, "per-cell")
}

func TestCancelledOracleStaysUsable(t *testing.T) {
	o := New(queens(t, 12, "", ""))
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	for _, method := range o.Methods() {
		_, err := o.Valid(cancelled, nil, method)
		require.ErrorIs(t, err, context.Canceled, method)
	}
	_, err := o.Solve(cancelled, nil)
	require.ErrorIs(t, err, context.Canceled)
	for _, err := range o.Solutions(cancelled, nil) {
		require.ErrorIs(t, err, context.Canceled)
	}
	answer, err := o.Solve(context.Background(), []cnf.Lit{1})
	require.NoError(t, err)
	assert.Equal(t, backends.Sat, answer.Status)
}
