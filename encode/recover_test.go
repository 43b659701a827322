package encode_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends/conformance"
	"queens/encode"
	"queens/encode/amo"
	"queens/encode/cnf"
)

// The clauses of a family are read back as the family's own constraints, in the same sequence, where these are clauses,
// at-most-ones and exactly-ones. Amazons have knight's moves that make larger cliques with short diagonals. On a torus
// of even size, two diagonals can share two cells, and their clause belongs to the first.
func TestConstraintsAreFoundAgain(t *testing.T) {
	for _, f := range encode.Families() {
		for _, n := range []int{5, 8, 11} {
			if f.Name == "amazons" || f.Name == "toroidal" && n%2 == 0 {
				continue
			}
			p, err := f.Build(n)
			require.NoError(t, err)
			if slices.ContainsFunc(p.Constraints, countsBeyondOne) {
				continue // its clauses are not recovered
			}
			got := readBack(t, p)
			require.Len(t, got.Constraints, len(p.Constraints), "%s n = %d", f.Name, n)
			for i, c := range p.Constraints {
				lits := slices.Sorted(slices.Values(c.Lits))
				require.Equal(t, c.Count(), got.Constraints[i].Count(), "%s n = %d, %s", f.Name, n, c.Name)
				require.Equal(t, lits, slices.Sorted(slices.Values(got.Constraints[i].Lits)), "%s n = %d, %s", f.Name, n, c.Name)
			}
		}
	}
}

// countsBeyondOne reports whether a constraint is neither a clause nor an at-most-one nor an exactly-one.
func countsBeyondOne(c encode.Constraint) bool {
	return c.Least > 1 || c.Most > 1 && c.Most < len(c.Lits)
}

func readBack(t *testing.T, p encode.Problem) encode.Problem {
	var b bytes.Buffer
	require.NoError(t, p.WriteDIMACS(&b, amo.Pairwise, nil))
	got, _, err := encode.ReadCNF(&b, "f.cnf")
	require.NoError(t, err)
	return got
}

// A group of alternatives below an optional feature, as feature models have it: at most one
// of the children, one if the parent is there, the parent if one of them is. All of it is one
// exactly-one, of the children or of no parent.
func TestAlternativesOfAnOptionalFeature(t *testing.T) {
	p, _, err := encode.ReadCNF(strings.NewReader(
		"p cnf 5 8\n-1 2 3 4 0\n-2 1 0\n-3 1 0\n-4 1 0\n-2 -3 0\n-2 -4 0\n-3 -4 0\n1 5 0\n"), "f.cnf")
	require.NoError(t, err)
	assert.Equal(t, []encode.Constraint{
		encode.ExactlyOne("lines 2 to 8", -1, 2, 3, 4),
		encode.AtLeastOne("line 9", 1, 5),
	}, p.Constraints)
}

// Two groups below one parent, with pairs before and after the choice; three pairs are said again elsewhere.
func TestAlternativesOfOneParent(t *testing.T) {
	p, _, err := encode.ReadCNF(strings.NewReader("p cnf 7 17\n-3 -2 0\n1 -3 0\n1 -2 0\n-1 4 3 2 0\n-4 1 0\n-4 -3 0\n-2 -4 0\n"+
		"-1 5 6 7 0\n-5 1 0\n-6 1 0\n-7 1 0\n-7 -5 0\n-7 -6 0\n-6 -5 0\n-2 -3 0\n-5 1 0\n-3 1 0\n"), "f.cnf")
	require.NoError(t, err)
	assert.Equal(t, []encode.Constraint{
		encode.ExactlyOne("lines 2 to 8", -1, 2, 3, 4),
		encode.ExactlyOne("lines 9 to 15", -1, 5, 6, 7),
	}, p.Constraints)
}

// Two choices need a pair that is said once, or share a literal; or a pair is said twice where another is missing.
func TestChoicesThatShare(t *testing.T) {
	for text, want := range map[string][]encode.Constraint{
		"p cnf 4 7\n1 2 3 0\n-1 -2 0\n-1 -3 0\n-2 -3 0\n1 2 4 0\n-1 -4 0\n-2 -4 0\n": {
			encode.ExactlyOne("lines 2 to 5", 1, 2, 3), encode.ExactlyOne("4 lines from 3 to 8", 1, 2, 4),
		},
		"p cnf 5 9\n1 2 4 0\n-1 -2 0\n-1 -4 0\n-2 -4 0\n3 4 5 0\n-3 -4 0\n-3 -5 0\n-4 -5 0\n-1 -4 0\n": {
			encode.ExactlyOne("lines 2 to 5", 1, 2, 4), encode.ExactlyOne("lines 6 to 9", 3, 4, 5),
		},
		"p cnf 3 4\n1 2 3 0\n-1 -2 0\n-1 -3 0\n-2 -1 0\n": {
			encode.AtLeastOne("line 2", 1, 2, 3), encode.AtMostOne("line 3", 1, 2), encode.AtMostOne("line 4", 1, 3),
		},
	} {
		p, _, err := encode.ReadCNF(strings.NewReader(text), "f.cnf")
		require.NoError(t, err)
		assert.Equal(t, want, p.Constraints, text)
	}
}

// A constraint names each of the lines that express it if they are few, and how many of a range if they are not.
func TestNamesOfRecoveredConstraints(t *testing.T) {
	for text, want := range map[string]string{
		"p cnf 3 3\n1 2 0\nc 1\nc 2\n-1 -2 0\n1 3 0\n":                             "lines 2 and 5",
		"p cnf 5 5\n-1 -2 0\n4 5 0\n-1 -3 0\n4 -5 0\n-2 -3 0\n":                    "lines 2, 4 and 6",
		"p cnf 3 3\n-1 -2 0\n-1 -3 0\n-2 -3 0\n":                                   "lines 2 to 4",
		"p cnf 6 7\n-1 -2 0\n-1 -3 0\n5 6 0\n-2 -3 0\n-1 -4 0\n-2 -4 0\n-3 -4 0\n": "6 lines from 2 to 8",
	} {
		p, _, err := encode.ReadCNF(strings.NewReader(text), "f.cnf")
		require.NoError(t, err)
		assert.Equal(t, want, p.Constraints[0].Name, "%s: %v", text, p.Constraints)
	}
}

// Random clauses, with constraints in pairs hidden among them, read as a problem with the
// solutions of the clauses.
func TestRecoveredConstraintsMeanTheClauses(t *testing.T) {
	seed := conformance.Number(t, "RECOVER_SEED", rand.Uint64())
	rng := rand.New(rand.NewPCG(seed, 0))
	for i := range conformance.Number(t, "RECOVER_CASES", conformance.Cases(2000)) {
		vars := 1 + rng.IntN(8)
		f := &cnf.Formula{Vars: vars}
		literal := func() cnf.Lit {
			return cnf.Lit(1+rng.IntN(vars)) * cnf.Lit(1-2*rng.IntN(2))
		}
		for range rng.IntN(2 * vars) {
			lits := make([]cnf.Lit, rng.IntN(5)) // with repetitions, tautologies, empty clauses
			for i := range lits {
				lits[i] = literal()
			}
			choose := rng.IntN(3) > 0 && (len(lits) > 0 || rng.IntN(10) == 0)
			after := rng.IntN(2) == 0
			if choose && !after {
				f.Add(lits...)
			}
			if rng.IntN(3) > 0 {
				amo.Pairwise.Encode(f, lits)
			}
			if choose && after {
				f.Add(lits...)
			}
		}
		var b bytes.Buffer
		require.NoError(t, f.WriteDIMACS(&b, nil, nil))
		text := b.String()
		p, _, err := encode.ReadCNF(&b, "f.cnf")
		require.NoError(t, err)
		var want [][]cnf.Lit
		for bits := range 1 << vars {
			value, model := make([]bool, vars), make([]cnf.Lit, vars)
			for v := range vars {
				value[v] = bits>>(vars-1-v)&1 == 1
				model[v] = cnf.Var(v + 1).Lit(value[v])
			}
			if f.Eval(value) {
				want = append(want, model)
			}
		}
		require.Equal(t, want, conformance.BruteForce(p), "RECOVER_SEED=%d, case %d:\n%s%v", seed, i, text, p.Constraints)
		for _, c := range p.Constraints {
			vars := map[cnf.Var]bool{}
			for _, l := range c.Lits {
				vars[l.Var()] = true
			}
			require.Len(t, vars, len(c.Lits), fmt.Sprint(c))
		}
	}
}
