package encode_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends/conformance"
	"queens/encode"
	"queens/encode/amo"
	"queens/encode/cnf/cnftest"
)

// The solution counts that are published or follow from a family's rules, confirmed by brute force over the
// constraints and by a test-only solver over the clauses.
func TestFamiliesHaveTheirPublishedNumbers(t *testing.T) {
	for _, f := range encode.Families() {
		sizes, err := conformance.Sizes(f)
		require.NoError(t, err)
		for _, n := range sizes {
			p, err := f.Build(n)
			require.NoError(t, err)
			want := int64(len(conformance.ByRules(p)))
			if known, published := f.Known(n); published {
				assert.Equal(t, known.Int64(), want, "%s, by its rules", p)
			}
			assert.Equal(t, want, int64(len(conformance.BruteForce(p))), "%s", p)
			if p.NumVars() > 0 && p.NumVars() <= 40 {
				assert.Equal(t, int(want), cnftest.Count(p.CNF(amo.Sequential), p.NumVars()), "%s", p)
			}
		}
		_, err = f.Build(0)
		assert.ErrorContains(t, err, "expected 1 to")
	}
}

// Without one kind of diagonal, OEIS A099152 from n = 1; without both, n!.
func TestConstraintsTakenAway(t *testing.T) {
	half := []int{1, 1, 3, 7, 23, 83, 405, 2113}
	factorial := 1
	for n := 1; n <= 7; n++ {
		factorial *= n
		for prefix, want := range map[string]int{"anti-diagonal": half[n-1], "diagonal": half[n-1]} {
			p := without(t, n, prefix)
			assert.False(t, n > 1 && p.IsQueens())
			assert.Len(t, conformance.BruteForce(p), want, "n=%d without every %s", n, prefix)
		}
		assert.Len(t, conformance.BruteForce(without(t, n, "anti-diagonal", "diagonal")), factorial)
	}
}

func without(t *testing.T, n int, prefixes ...string) encode.Problem {
	p, err := encode.Queens(n, nil, nil)
	require.NoError(t, err)
	p.Constraints = slices.DeleteFunc(slices.Clone(p.Constraints), func(c encode.Constraint) bool {
		return slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(c.Name, prefix) })
	})
	return p
}

func TestIsQueensLooksAtTheConstraints(t *testing.T) {
	for n := 1; n <= 6; n++ {
		p, err := encode.Queens(n, nil, nil)
		require.NoError(t, err)
		p.Family = "something else"
		assert.True(t, p.IsQueens())
		for i := range p.Constraints {
			less := p
			less.Constraints = slices.Delete(slices.Clone(p.Constraints), i, i+1)
			assert.False(t, less.IsQueens(), "n=%d without %s", n, p.Constraints[i].Name)
			other := p
			other.Constraints = slices.Clone(p.Constraints)
			other.Constraints[i].Least = 1 - other.Constraints[i].Least
			assert.False(t, other.IsQueens())
		}
	}
	for _, f := range encode.Families()[1:] {
		p, err := f.Build(6)
		require.NoError(t, err)
		assert.False(t, p.IsQueens(), f.Name)
	}
}

// Every variable has a unique name that parses back to it, and a place on the
// board where there is one.
func TestNamesReadBack(t *testing.T) {
	for _, f := range encode.Families() {
		p, err := f.Build(4)
		require.NoError(t, err)
		seen := map[string]bool{}
		for v := range p.NumVars() {
			name := p.VarName(varOf(v))
			require.False(t, seen[name] || strings.ContainsAny(name, ", \t"), name)
			seen[name] = true
			got, err := p.Names.Var(name)
			require.NoError(t, err)
			require.Equal(t, varOf(v), got)
			require.True(t, p.Place == nil || p.Place(got).On(p.N))
		}
		_, err = p.Names.Var("nonsense")
		assert.Error(t, err, f.Name)
	}
}

func TestFamilyNamed(t *testing.T) {
	_, err := encode.FamilyNamed("no-such-family")
	assert.ErrorContains(t, err, `problem "no-such-family": expected one of queens, toroidal`)
}
