package bdd

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"queens/backends/search"
	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
	"queens/internal/contexttest"
)

// Questions mapped by symmetries have the same answers as search, which uses none, on
// boards with all symmetries, with one, and with none.
func TestTurnedQuestions(t *testing.T) {
	ctx, seed := context.Background(), rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 0))
	const n = 11 // the smallest whose diagram is not always passed over as a whole
	for _, c := range []struct {
		blocked    []board.Cell
		symmetries int
	}{
		{nil, 7}, {[]board.Cell{{Row: 5, Col: 5}}, 7}, {[]board.Cell{{Row: 0, Col: 5}}, 1},
		{[]board.Cell{{Row: 2, Col: 2}, {Row: 8, Col: 8}}, 3}, {[]board.Cell{{Row: 1, Col: 3}}, 0},
	} {
		p := problem(t, n, nil, c.blocked)
		solutions := queensOf(t, p)
		for _, name := range []string{"row-major", "random:4"} {
			compiled := compile(t, p, named(t, name, n), Options{})
			require.Len(t, compiled.knowledge().symmetries, c.symmetries)
			o, exact := New(compiled), search.New(p)
			turned, few := 0, 0
			for i := range 60 {
				var assume []cnf.Lit
				for range 1 + rng.IntN(4) {
					l := encode.CellVar(n, board.Cell{Row: rng.IntN(n), Col: rng.IntN(n)}).Pos()
					if rng.IntN(4) == 0 {
						l = l.Not()
					}
					assume = append(assume, l)
				}
				if i%2 == 0 { // most queens of a solution, so that few nodes are reached
					assume = slices.Clone(solutions[rng.IntN(len(solutions))])
					rng.Shuffle(n, func(i, j int) { assume[i], assume[j] = assume[j], assume[i] })
					assume = assume[:3+rng.IntN(n-2)]
				}
				hint := fmt.Sprintf("blocked %v, %s, assuming %v, seed %d", c.blocked, name, assume, seed)
				if o.known.highest(assume) != 0 {
					turned++
				}
				want, err := exact.Valid(ctx, assume, search.Enumerate)
				require.NoError(t, err)
				for _, method := range []string{SweepZDD, Annotated, Sweep} {
					got, err := o.Valid(ctx, assume, method)
					require.NoError(t, err)
					require.Equal(t, want.Satisfiable, got.Satisfiable, hint)
					require.Equal(t, want.Possible, got.Possible, hint)
					require.Equal(t, want.Forced, got.Forced, hint)
					if visited := got.Work.Of("nodes visited"); visited > 0 && visited < 200 {
						few++
					}
				}
				count, each, err := o.CountEach(ctx, assume)
				require.NoError(t, err)
				wantCount, wantEach, err := exact.CountEach(ctx, assume)
				require.NoError(t, err)
				require.Equal(t, wantCount.String(), count.String(), hint)
				require.Equal(t, fmt.Sprint(wantEach), fmt.Sprint(each), hint)
				count, err = o.Count(ctx, assume)
				require.NoError(t, err)
				require.Equal(t, wantCount.String(), count.String(), hint)
			}
			require.Equal(t, c.symmetries > 0, turned > 0)
			require.Positive(t, few)
		}
	}
}

// queensOf returns the queens of every solution.
func queensOf(t *testing.T, p encode.Problem) (all [][]cnf.Lit) {
	for solution, err := range search.New(p).Solutions(context.Background(), nil) {
		require.NoError(t, err)
		all = append(all, slices.DeleteFunc(slices.Clone(solution), func(l cnf.Lit) bool { return !l.Positive() }))
	}
	return all
}

// A queen in the last row costs no more than its image in the first.
func TestLowQueensAreTurnedUp(t *testing.T) {
	const n = 12
	o := New(compile(t, problem(t, n, nil, nil), named(t, "row-major", n), Options{}))
	visited := func(row, col int) int64 {
		valid, err := o.Valid(context.Background(), []cnf.Lit{encode.CellVar(n, board.Cell{Row: row, Col: col}).Pos()}, SweepZDD)
		require.NoError(t, err)
		return valid.Work.Of("nodes visited")
	}
	first := visited(0, 3)
	require.Less(t, first, int64(zdd(t, o.compiled).Len()/6))
	require.Equal(t, first, visited(n-1, 3))
	require.Equal(t, first, visited(n-1, n-4))
	require.Equal(t, first, visited(3, n-1), "columns map to rows")
}

// The annotation can be interrupted while it is filled in, and the next question goes on with it.
func TestAnnotationIsInterrupted(t *testing.T) {
	const n = 12
	o := New(compile(t, problem(t, n, nil, nil), named(t, "row-major", n), Options{}))
	queen := []cnf.Lit{encode.CellVar(n, board.Cell{Row: 0, Col: 3}).Pos()}
	want, err := o.Valid(context.Background(), queen, SweepZDD)
	require.NoError(t, err)
	checks := func() (times int) {
		for ; ; times++ {
			got, err := o.Valid(contexttest.After(times), queen, Annotated)
			if err == nil {
				require.Equal(t, want.Possible, got.Possible)
				return times
			}
			require.ErrorIs(t, err, context.Canceled)
		}
	}
	first := checks()
	require.Greater(t, first, checks(), "while it fills")
}

// With one queen placed, visiting a few nodes of each level finds as many valid cells as counting, which
// visits all nodes that the queen leaves.
func TestFewNodesShowAsMuch(t *testing.T) {
	const n = 13
	ctx := context.Background()
	o := New(compile(t, problem(t, n, nil, nil), named(t, "row-major", n), Options{}))
	few, all := 0, 0
	for row := range n/2 + 1 {
		for col := row; col <= n/2; col++ {
			queen := []cnf.Lit{encode.CellVar(n, board.Cell{Row: row, Col: col}).Pos()}
			valid, err := o.Valid(ctx, queen, SweepZDD)
			require.NoError(t, err)
			few += o.onZDD.Visited()
			_, each, err := o.CountEach(ctx, queen)
			require.NoError(t, err)
			all += zdd(t, o.compiled).Len()
			var possible []cnf.Var
			for i, count := range each {
				if count.Sign() > 0 {
					possible = append(possible, cnf.Var(i+1))
				}
			}
			require.Equal(t, possible, valid.Possible, "queen at row %d, column %d", row, col)
		}
	}
	require.Less(t, few, all/10)
}
