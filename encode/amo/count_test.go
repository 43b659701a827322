package amo

import (
	"math/big"
	"math/bits"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/encode/cnf"
	"queens/encode/cnf/cnftest"
)

// Every assignment of up to seven literals extends to the auxiliary variables exactly when the number of true
// literals is within the bounds.
func TestCountOnEveryAssignment(t *testing.T) {
	for _, e := range All() {
		for n := range 8 {
			for least := range n + 2 {
				for most := range n + 2 {
					f := &cnf.Formula{Vars: n}
					lits := newVars(n)
					if n > 2 {
						lits[1] = lits[1].Not()
					}
					e.Count(f, lits, least, most)
					for word := range 1 << n {
						var given []cnf.Lit
						for i, l := range lits {
							if word>>i&1 == 0 {
								l = l.Not()
							}
							given = append(given, l)
						}
						number := bits.OnesCount(uint(word))
						require.Equal(t, least <= number && number <= most, cnftest.Count(f, n, given...) > 0,
							"%s n=%d %d to %d: %b", e.Name, n, least, most, word)
					}
				}
			}
		}
	}
}

// Once as many literals are true, or false, as may be, unit propagation sets the others.
func TestCountPropagates(t *testing.T) {
	for _, e := range All() {
		for _, n := range []int{3, 5, 8, 13} {
			for k := 1; k < n; k++ {
				for _, atMost := range []bool{true, false} {
					f := &cnf.Formula{Vars: n}
					var given []cnf.Lit
					rest := int8(-1)
					if atMost {
						e.Count(f, newVars(n), 0, k)
						given = newVars(n)[n-k:]
					} else {
						e.Count(f, newVars(n), k, n)
						given, rest = cnf.Negated(newVars(n)[k:]), 1
					}
					value, consistent := cnftest.Propagate(f, given...)
					require.True(t, consistent)
					for v := 1; v <= n-len(given); v++ {
						require.EqualValues(t, rest, value[v], "%s n=%d k=%d at most: %v, x%d", e.Name, n, k, atMost, v)
					}
				}
			}
		}
	}
}

// The sizes that the comments state, and for the totalizer those of its trees.
func TestCountSizes(t *testing.T) {
	size := func(n, k int, e Encoding, is Relation) [2]int {
		f := &cnf.Formula{Vars: n}
		e.Bound(f, newVars(n), k, is)
		return [2]int{f.NumClauses(), f.Vars - n}
	}
	for n := 2; n < 14; n++ {
		for k := 1; k < n; k++ {
			sequential := [2]int{2*n*k + n - 3*k - 1, k * (n - 1)}
			require.Equal(t, sequential, size(n, k, Sequential, AtMost), "n=%d k=%d", n, k)
			if k > 1 {
				sequential[0] = 2*n*k - n - 3*k + 4
				require.Equal(t, sequential, size(n, k, Sequential, AtLeast), "n=%d k=%d", n, k)
			}
			binomial := func(k int) [2]int { return [2]int{int(new(big.Int).Binomial(int64(n), int64(k)).Int64()), 0} }
			require.Equal(t, binomial(k+1), size(n, k, Pairwise, AtMost))
			require.Equal(t, binomial(k-1), size(n, k, Pairwise, AtLeast))
			require.Equal(t, tree(n, k, true, false), size(n, k, Totalizer, AtMost), "n=%d k=%d", n, k)
			require.Equal(t, tree(n, k, true, true), size(n, k, Totalizer, AtLeast), "n=%d k=%d", n, k)
		}
	}
}

// tree returns the number of clauses and of variables of a totalizer.
func tree(n, k int, root, needs bool) [2]int {
	if n == 1 {
		return [2]int{}
	}
	left, right := tree(n/2, k, false, needs), tree(n-n/2, k, false, needs)
	size := [2]int{left[0] + right[0], left[1] + right[1]}
	outputs := min(n, k)
	for i := range min(n/2, k) + 1 {
		for j := range min(n-n/2, k) + 1 {
			switch sum := i + j; {
			case needs && root && sum == k-1, needs && !root && sum < outputs,
				!needs && sum == k+1, !needs && !root && 1 <= sum && sum <= outputs:
				size[0]++
			}
		}
	}
	if !root {
		size[1] += outputs
	}
	return size
}

func TestWhoCounts(t *testing.T) {
	assert.Equal(t, []string{"totalizer"}, Totalizer.Counters(20, 0, 5))
	assert.Equal(t, []string{"pairwise"}, Pairwise.Counters(8, 6, 8))
	assert.Equal(t, []string{"sequential"}, Pairwise.Counters(40, 0, 20))
	assert.Equal(t, []string{"sequential", "sequential"}, Product.Counters(8, 2, 2))
	assert.Empty(t, Product.Counters(8, 1, 1))
	assert.Empty(t, Product.Counters(8, 7, 8), "at most one is false")
	assert.Empty(t, Product.Counters(8, 3, 2), "false")
}

func TestNamesOfCounters(t *testing.T) {
	f := &cnf.Formula{Vars: 5}
	f.KeepNames()
	Sequential.Count(f, newVars(5), 0, 2)
	name, _ := f.Name(cnf.Var(9))
	assert.Equal(t, "at least 2 of the first 2", name)
	first := f.Vars + 1
	Totalizer.Count(f, newVars(5), 0, 3)
	name, _ = f.Name(cnf.Var(first))
	assert.Equal(t, "at least 1 of 1 to 2 are false", name)
	for _, e := range All() {
		f := &cnf.Formula{Vars: 9}
		f.KeepNames()
		e.Count(f, newVars(9), 2, 4)
		names := map[string]bool{}
		for v := cnf.Var(10); int(v) <= f.Vars; v++ {
			name, named := f.Name(v)
			require.True(t, named, e.Name)
			require.False(t, names[name], "%s: %s", e.Name, name)
			names[name] = true
		}
	}
}

// The variables that count exactly k literals are determined by them.
func TestExactlyNeedsNoProjection(t *testing.T) {
	for n := 4; n < 9; n++ {
		for _, e := range []Encoding{Pairwise, Sequential, Totalizer} {
			f := &cnf.Formula{Vars: n}
			e.Count(f, newVars(n), 2, 2)
			assert.Equal(t, n*(n-1)/2, cnftest.Count(f, f.Vars), e.Name)
		}
	}
}
