package bdd

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends"
	"queens/encode/cnf"
	"queens/robdd"
)

// While queens are placed one by one, removed and placed elsewhere, a session gives the same answers as
// the sweep. It continues from the previous question's cofactor whenever that question assumed less.
func TestSessionRestrictsFurther(t *testing.T) {
	ctx := context.Background()
	compiled := compile(t, problem(t, 8, nil, nil), named(t, "row-major", 8), Options{})
	solution, err := New(compiled).Solve(ctx, nil)
	require.NoError(t, err)
	var queens []cnf.Lit
	for _, l := range solution.Model {
		if l.Positive() {
			queens = append(queens, l)
		}
	}
	o, sweep := New(compiled), New(compiled)
	for _, assume := range [][]cnf.Lit{
		nil, queens[7:], queens[6:], queens[5:], {queens[5], -queens[7]}, {queens[5], -queens[7], -9}, queens[4:], {1, -1}, queens[3:],
	} {
		want, err := sweep.Valid(ctx, assume, SweepZDD)
		require.NoError(t, err)
		got, err := o.Valid(ctx, assume, Session)
		require.NoError(t, err)
		assert.Equal(t, want.Possible, got.Possible, "under %v", assume)
		assert.Equal(t, want.Forced, got.Forced, "under %v", assume)
	}
	// The next question that assumes more starts from the stored cofactor, even if that is wrong.
	o.cofactors.last = robdd.False
	got, err := o.Valid(ctx, queens[2:], Session)
	require.NoError(t, err)
	assert.False(t, got.Satisfiable)
	got, err = o.Valid(ctx, queens[6:], Session)
	require.NoError(t, err)
	assert.True(t, got.Satisfiable, "anew, since it assumes less")
}

// Listing all solutions respects the memory limit.
func TestAllSatKeepsToTheLimit(t *testing.T) {
	compiled := compile(t, problem(t, 8, nil, nil), named(t, "row-major", 8), Options{})
	o := New(reloaded(t, compiled, zdd(t, compiled), 1000))
	var limit *backends.LimitError
	_, err := o.Valid(context.Background(), nil, AllSat)
	require.ErrorAs(t, err, &limit)
	found, err := o.Valid(context.Background(), []cnf.Lit{1}, AllSat)
	require.NoError(t, err)
	assert.NotEmpty(t, found.Possible)
}
