package encodetest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"queens/backends/conformance"
	"queens/encode/cnf"
	"queens/encode/encodetest"
)

// A seed gives the same problem, whose constraints are over distinct variables; numbering the
// variables by chance gives other constraints with as many solutions.
func TestShapes(t *testing.T) {
	for _, s := range encodetest.Shapes() {
		for _, vars := range []int{1, 2, 5, 9, 14} {
			for seed := range uint64(5) {
				p := encodetest.Make(s, vars, seed, false)
				require.Equal(t, p.Fingerprint(), encodetest.Make(s, vars, seed, false).Fingerprint())
				require.GreaterOrEqual(t, p.NumVars(), vars)
				if s != "grid" {
					require.Equal(t, vars, p.NumVars(), s)
				}
				for _, c := range p.Constraints {
					seen := map[cnf.Var]bool{}
					for _, l := range c.Lits {
						require.False(t, seen[l.Var()], "%s %d %d: %v", s, vars, seed, c)
						seen[l.Var()] = true
					}
				}
				shuffled := encodetest.Make(s, vars, seed, true)
				require.Len(t, conformance.BruteForce(shuffled), len(conformance.BruteForce(p)), "%s %d %d", s, vars, seed)
			}
		}
	}
}
