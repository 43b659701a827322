package sat

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends"
	"queens/backends/conformance"
	"queens/encode"
	"queens/encode/amo"
	"queens/encode/cnf"
	"queens/encode/encodetest"
)

func TestConformance(t *testing.T) {
	all := amo.All()
	if !conformance.Slow { // each problem under another encoding
		next := 0
		conformance.Run(t, Methods(), func(p encode.Problem) backends.Backend {
			o := New(p)
			o.AMO = all[next%len(all)]
			next++
			return o
		})
		return
	}
	for _, amo := range all {
		t.Run(amo.Name, func(t *testing.T) {
			conformance.Run(t, Methods(), func(p encode.Problem) backends.Backend {
				o := New(p)
				o.AMO = amo
				return o
			})
		})
	}
}

// Both formulas, on any problem.
func TestConformanceOnAnyProblem(t *testing.T) {
	for _, formula := range Formulas() {
		t.Run(string(formula), func(t *testing.T) {
			conformance.RunAny(t, Methods(), func(p encode.Problem) backends.Backend {
				o := New(p.Counting(amo.Sequential)) // as ask does: it holds no weights
				o.Formula = formula
				return o
			})
		})
	}
}

// With the whole formula a query asks about each cell, with the closed one only about those that propagation
// leaves.
func TestClosedFormulaAsksAboutNoAttackedCell(t *testing.T) {
	p := encodetest.Queens(t, 8, "", "")
	assume := []cnf.Lit{1, 8 + 5} // a1, e2
	r := encode.NewPropagator(p)
	require.True(t, r.Assume(assume))
	left := int64(0)
	for _, value := range r.Values() {
		if value >= 0 {
			left++
		}
	}
	for _, formula := range []Formula{Whole, Closed} {
		o := New(p)
		o.Formula = formula
		valid, err := o.Valid(context.Background(), assume, "per-cell")
		require.NoError(t, err)
		assert.Equal(t, map[Formula]int64{Whole: 64, Closed: left}[formula], valid.Work.Of("solves"), formula)
	}
}

// Work that a solver does not tell is not zero: there is no such count.
func TestConflictsThatASolverDoesNotTell(t *testing.T) {
	count := func(silent bool) (names []string) {
		o := New(encodetest.Queens(t, 12, "", ""))
		o.Silent = silent
		if silent {
			o.Make = func(f *cnf.Formula) Solver { return struct{ Solver }{Gini(f)} }
		}
		valid, err := o.Valid(context.Background(), nil, "pack")
		require.NoError(t, err)
		assert.Equal(t, silent, valid.Work.Of("conflicts") == 0)
		for _, c := range valid.Work.Counts() {
			names = append(names, c.Name)
		}
		return names
	}
	assert.Equal(t, []string{"solves", "models", "conflicts"}, count(false))
	assert.Equal(t, []string{"solves", "models"}, count(true))
}

func TestEnumerationMeetsKnownCounts(t *testing.T) {
	for n, want := range map[int]int{1: 1, 2: 0, 3: 0, 4: 2, 7: 40, 8: 92} { // OEIS A000170
		got := 0
		for _, err := range New(encodetest.Queens(t, n, "", "")).Solutions(context.Background(), nil) {
			require.NoError(t, err)
			got++
		}
		assert.Equal(t, want, got, "n=%d", n)
	}
}

func TestEnumerationCanStopAndStartAgain(t *testing.T) {
	o := New(encodetest.Queens(t, 8, "a1", ""))
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
	assert.Equal(t, all[:2], list(2), "the same order on every call")
	answer, err := o.Solve(context.Background(), nil)
	require.NoError(t, err)
	assert.Equal(t, backends.Sat, answer.Status, "blocking clauses stay with the enumeration")
}

// Reuse asks at most once per cell, and less often where a model shows more
// cells.
func TestWorkIsReported(t *testing.T) {
	p := encodetest.Queens(t, 8, "", "")
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
	_, err := New(encodetest.Queens(t, 4, "", "")).Valid(context.Background(), nil, "pre-cell")
	assert.ErrorContains(t, err, `method "pre-cell": back-end sat has `)
	assert.ErrorContains(t, err, "per-cell")
}

func TestCancelledOracleStaysUsable(t *testing.T) {
	o := New(encodetest.Queens(t, 12, "", ""))
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	for _, method := range backends.Names(Methods()) {
		_, err := o.Valid(cancelled, nil, method)
		require.ErrorIs(t, err, context.Canceled, method)
	}
	_, err := o.Valid(cancelled, nil, "")
	require.ErrorContains(t, err, "by pack: ", "the error names the method that was chosen")
	_, err = o.Solve(cancelled, nil)
	require.ErrorIs(t, err, context.Canceled)
	for _, err := range o.Solutions(cancelled, nil) {
		require.ErrorIs(t, err, context.Canceled)
	}
	answer, err := o.Solve(context.Background(), []cnf.Lit{1})
	require.NoError(t, err)
	assert.Equal(t, backends.Sat, answer.Status)
}
