package cnf

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLiterals(t *testing.T) {
	v := Var(7)
	assert.Equal(t, Lit(7), v.Pos())
	assert.Equal(t, Lit(-7), v.Neg())
	assert.Equal(t, v, v.Neg().Var())
	assert.Equal(t, v.Neg(), v.Pos().Not())
	assert.True(t, v.Pos().Positive())
	assert.False(t, v.Neg().Positive())
}

func TestFormulaHoldsItsClauses(t *testing.T) {
	var f Formula
	a, b := f.NewVar(), f.NewVar()
	f.Add(a.Pos(), b.Pos())
	f.Add(a.Neg())
	f.Add(5)
	assert.Equal(t, 5, f.Vars)
	var got [][]Lit
	for c := range f.Clauses() {
		got = append(got, slices.Clone(c))
	}
	assert.Equal(t, [][]Lit{{1, 2}, {-1}, {5}}, got)
	assert.Equal(t, 3, f.NumClauses())
	assert.True(t, f.Eval([]bool{false, true, false, false, true}))
	assert.False(t, f.Eval([]bool{true, true, false, false, true}))
	f.Add()
	assert.False(t, f.Eval([]bool{false, true, false, false, true}), "the empty clause is false")
	assert.Panics(t, func() { f.Add(1, 0) })
}

// Clauses of all lengths come back as they were added, from blocks of all sizes.
func TestFormulaOfManyBlocks(t *testing.T) {
	var f Formula
	var want []Lit // each clause ended by 0
	for i := range 1500 {
		clause := make([]Lit, i%1000)
		for k := range clause {
			clause[k] = Lit(i + k + 1)
		}
		f.Add(clause...)
		want = append(append(want, clause...), 0)
	}
	require.Greater(t, len(want), 2*largestBlock)
	var got []Lit
	for c := range f.Clauses() {
		got = append(append(got, c...), 0)
	}
	assert.True(t, slices.Equal(want, got))
	assert.Equal(t, 1500, f.NumClauses())
}

func TestDIMACS(t *testing.T) {
	var f Formula
	f.Add(1, -2)
	f.Add(3)
	f.Add()
	var b strings.Builder
	require.NoError(t, f.WriteDIMACS(&b, nil, nil))
	assert.Equal(t, "p cnf 3 3\n1 -2 0\n3 0\n0\n", b.String())

	b.Reset()
	name := func(v Var) string { return string(rune('w' + v)) }
	require.NoError(t, f.WriteDIMACS(&b, []Var{3, 1, 2}, name))
	assert.Equal(t, "c 3 z\nc 1 x\nc 2 y\np cnf 3 3\n1 -2 0\n3 0\n0\n", b.String())
}
