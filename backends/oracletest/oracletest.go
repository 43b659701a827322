package oracletest

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends"
	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
)

// Make builds the back-end under test for a problem.
type Make func(p encode.Problem) backends.Oracle

// Known is OEIS A000170: the number of solutions for n = 1 to 12, at index n.
var Known = [...]int64{1: 1, 2: 0, 3: 0, 4: 2, 5: 10, 6: 4, 7: 40, 8: 92, 9: 352, 10: 724, 11: 2680, 12: 14200}

// Run runs every check that the back-end's interfaces allow.
func Run(t *testing.T, make Make) {
	t.Run("known counts", func(t *testing.T) { knownCounts(t, make) })
	t.Run("every assumption pair", func(t *testing.T) { everyPair(t, make) })
	t.Run("histories", func(t *testing.T) { histories(t, make) })
	t.Run("problems with placed and blocked cells", func(t *testing.T) { fixed(t, make) })
	t.Run("bad assumptions", func(t *testing.T) { badAssumptions(t, make) })
	t.Run("cancelled", func(t *testing.T) { cancelled(t, make) })
}

// BruteForce returns the solutions of the n-queens problem, each as the column
// of each row's queen, in lexicographic order.
func BruteForce(n int) [][]int {
	var solutions [][]int
	cols := make([]int, 0, n)
	var extend func()
	extend = func() {
		if len(cols) == n {
			solutions = append(solutions, slices.Clone(cols))
			return
		}
		for col := range n {
			safe := true
			for row, other := range cols {
				if (board.Cell{Row: row, Col: other}).Attacks(board.Cell{Row: len(cols), Col: col}) {
					safe = false
					break
				}
			}
			if safe {
				cols = append(cols, col)
				extend()
				cols = cols[:len(cols)-1]
			}
		}
	}
	extend()
	return solutions
}

// truth is what a query must answer, filtered from all solutions.
type truth struct {
	solutions [][]int
	each      []int64
}

func filter(n int, all [][]int, lits []cnf.Lit) truth {
	want := truth{each: make([]int64, n*n)}
	for _, cols := range all {
		fits := true
		for _, l := range lits {
			c := encode.VarCell(n, l.Var())
			if (cols[c.Row] == c.Col) != l.Positive() {
				fits = false
				break
			}
		}
		if fits {
			want.solutions = append(want.solutions, cols)
			for row, col := range cols {
				want.each[row*n+col]++
			}
		}
	}
	return want
}

// check asks everything that the back-end can answer and compares.
func check(t *testing.T, o backends.Oracle, n int, fixed, assume []cnf.Lit, all [][]int, hint string) {
	t.Helper()
	ctx := context.Background()
	want := filter(n, all, append(slices.Clone(fixed), assume...))
	hint = fmt.Sprintf("n=%d fixed=%v assume=%v %s", n, fixed, assume, hint)

	answer, err := o.Solve(ctx, assume)
	require.NoError(t, err, hint)
	if len(want.solutions) > 0 {
		require.Equal(t, backends.Sat, answer.Status, hint)
		checkModel(t, n, answer.Model, append(slices.Clone(fixed), assume...), hint)
	} else {
		require.Equal(t, backends.Unsat, answer.Status, hint)
		for _, l := range answer.Core {
			require.Contains(t, assume, l, hint)
		}
		require.Empty(t, filter(n, all, append(slices.Clone(fixed), answer.Core...)).solutions,
			"core %v is not sufficient: %s", answer.Core, hint)
	}

	possible, err := o.Possible(ctx, assume)
	require.NoError(t, err, hint)
	var wantPossible []cnf.Var
	for i, count := range want.each {
		if count > 0 {
			wantPossible = append(wantPossible, cnf.Var(i+1))
		}
	}
	require.True(t, slices.Equal(wantPossible, possible), "possible %v, expected %v: %s", possible, wantPossible, hint)

	if finder, can := o.(backends.ValidFinder); can {
		var wantForced []cnf.Var
		for i, count := range want.each {
			if count > 0 && count == int64(len(want.solutions)) {
				wantForced = append(wantForced, cnf.Var(i+1))
			}
		}
		for _, method := range finder.Methods() {
			found, err := finder.Valid(ctx, assume, method)
			require.NoError(t, err, "%s: %s", method, hint)
			require.True(t, slices.Equal(wantPossible, found.Possible), "%s: possible %v, expected %v: %s", method, found.Possible, wantPossible, hint)
			require.True(t, slices.Equal(wantForced, found.Forced), "%s: forced %v, expected %v: %s", method, found.Forced, wantForced, hint)
		}
	}

	if counter, can := o.(backends.Counter); can {
		count, err := counter.Count(ctx, assume)
		require.NoError(t, err, hint)
		require.Equal(t, int64(len(want.solutions)), count.Int64(), hint)
	}
	if counter, can := o.(backends.CellCounter); can {
		total, each, err := counter.CountEach(ctx, assume)
		require.NoError(t, err, hint)
		require.Equal(t, int64(len(want.solutions)), total.Int64(), hint)
		require.Len(t, each, n*n, hint)
		for i := range each {
			require.Equal(t, want.each[i], each[i].Int64(), "%s: %s", board.At(n, i), hint)
		}
	}
	if lister, can := o.(backends.Enumerator); can {
		seen := map[string]bool{}
		for model, err := range lister.Solutions(ctx, assume) {
			require.NoError(t, err, hint)
			cols := checkModel(t, n, model, append(slices.Clone(fixed), assume...), hint)
			key := fmt.Sprint(cols)
			require.False(t, seen[key], "%s listed twice: %s", key, hint)
			seen[key] = true
		}
		require.Len(t, seen, len(want.solutions), hint)
		if len(want.solutions) > 1 { // stopping early is allowed, and leaves the Oracle usable
			for range lister.Solutions(ctx, assume) {
				break
			}
		}
	}
}

// checkModel has board.Verify judge a model and returns its columns.
func checkModel(t *testing.T, n int, model, lits []cnf.Lit, hint string) []int {
	t.Helper()
	require.Len(t, model, n*n, hint)
	var queens []board.Cell
	for i, l := range model {
		require.Equal(t, cnf.Var(i+1), l.Var(), hint)
		if l.Positive() {
			queens = append(queens, board.At(n, i))
		}
	}
	for _, l := range lits {
		require.Equal(t, l, model[l.Var()-1], hint)
	}
	cols, err := board.Columns(n, queens)
	require.NoError(t, err, hint)
	require.NoError(t, board.Verify(cols), hint)
	return cols
}

func problem(t *testing.T, n int, placed, blocked []board.Cell) encode.Problem {
	t.Helper()
	p, err := encode.Queens(n, placed, blocked)
	require.NoError(t, err)
	return p
}

// The empty board: A000170 for n <= 10 where the back-end counts, an answer with
// a judged model where it does not.
func knownCounts(t *testing.T, make Make) {
	for n := 1; n <= 10; n++ {
		o := make(problem(t, n, nil, nil))
		if counter, can := o.(backends.Counter); can {
			count, err := counter.Count(context.Background(), nil)
			require.NoError(t, err)
			assert.Equal(t, big.NewInt(Known[n]).String(), count.String(), "n=%d", n)
		}
		answer, err := o.Solve(context.Background(), nil)
		require.NoError(t, err)
		if Known[n] == 0 {
			assert.Equal(t, backends.Unsat, answer.Status, "n=%d", n)
			assert.Empty(t, answer.Core)
			continue
		}
		require.Equal(t, backends.Sat, answer.Status, "n=%d", n)
		checkModel(t, n, answer.Model, nil, fmt.Sprintf("n=%d", n))
	}
}

// One Oracle asked about every literal and every pair of literals for n <= 4.
func everyPair(t *testing.T, make Make) {
	for n := 1; n <= 4; n++ {
		all := BruteForce(n)
		o := make(problem(t, n, nil, nil))
		check(t, o, n, nil, nil, all, "")
		for a := -n * n; a <= n*n; a++ {
			for b := a; b <= n*n; b++ {
				if a != 0 && b != 0 {
					check(t, o, n, nil, []cnf.Lit{cnf.Lit(a), cnf.Lit(b)}, all, "")
				}
			}
		}
	}
}

// Random histories of placing, blocking and taking back on one Oracle, so that
// whatever it keeps between calls is put to the test.
func histories(t *testing.T, make Make) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	for n := 1; n <= 6; n++ {
		all := BruteForce(n)
		for range 4 {
			o := make(problem(t, n, nil, nil))
			var assume []cnf.Lit
			for range 30 {
				switch rng.IntN(4) {
				case 0: // any literal, attacked or not
					l := cnf.Var(rng.IntN(n*n) + 1).Pos()
					if rng.IntN(2) == 0 {
						l = l.Not()
					}
					assume = append(assume, l)
				case 1, 2: // a queen that keeps some solution, when there is one
					if left := filter(n, all, assume).solutions; len(left) > 0 {
						cols := left[rng.IntN(len(left))]
						row := rng.IntN(n)
						assume = append(assume, encode.CellVar(n, board.Cell{Row: row, Col: cols[row]}).Pos())
					} else {
						assume = assume[:len(assume)/2]
					}
				case 3:
					if len(assume) > 0 {
						i := rng.IntN(len(assume))
						assume = slices.Delete(assume, i, i+1)
					}
				}
				check(t, o, n, nil, assume, all, fmt.Sprintf("seed=%d", seed))
			}
		}
	}
}

// Placed and blocked cells as part of the problem, and assumptions on top.
func fixed(t *testing.T, make Make) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	for n := 1; n <= 6; n++ {
		all := BruteForce(n)
		for range 12 {
			var placed, blocked []board.Cell
			for i := range n * n {
				if rng.IntN(n*n) == 0 {
					placed = append(placed, board.At(n, i))
				}
				if rng.IntN(n+2) == 0 {
					blocked = append(blocked, board.At(n, i))
				}
			}
			p := problem(t, n, placed, blocked)
			o := make(p)
			check(t, o, n, p.Units(), nil, all, fmt.Sprintf("seed=%d", seed))
			for range 4 {
				l := cnf.Var(rng.IntN(n*n) + 1).Pos()
				if rng.IntN(3) == 0 {
					l = l.Not()
				}
				check(t, o, n, p.Units(), []cnf.Lit{l}, all, fmt.Sprintf("seed=%d", seed))
			}
			check(t, o, n, p.Units(), nil, all, fmt.Sprintf("seed=%d", seed))
		}
	}
}

// A variable that is no cell is an error, and the Oracle stays usable.
func badAssumptions(t *testing.T, make Make) {
	o := make(problem(t, 4, nil, nil))
	for _, bad := range []cnf.Lit{0, 17, -17} {
		_, err := o.Solve(context.Background(), []cnf.Lit{bad})
		assert.Error(t, err, "assumption %d", bad)
		_, err = o.Possible(context.Background(), []cnf.Lit{bad})
		assert.Error(t, err, "assumption %d", bad)
	}
	if finder, can := o.(backends.ValidFinder); can {
		_, err := finder.Valid(context.Background(), nil, "no-such-method")
		assert.ErrorContains(t, err, finder.Methods()[0])
	}
	check(t, o, 4, nil, nil, BruteForce(4), "")
}

// A cancelled context is an error, and the Oracle stays usable.
func cancelled(t *testing.T, make Make) {
	o := make(problem(t, 6, nil, nil))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := o.Solve(ctx, nil)
	assert.ErrorIs(t, err, context.Canceled)
	_, err = o.Possible(ctx, nil)
	assert.ErrorIs(t, err, context.Canceled)
	check(t, o, 6, nil, nil, BruteForce(6), "")
}
