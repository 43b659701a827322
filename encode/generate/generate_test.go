package generate

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends/conformance"
	"queens/encode/cnf"
)

// A seed gives the same problem, whose constraints are over distinct variables; numbering the
// variables by chance gives other constraints with as many solutions.
func TestShapes(t *testing.T) {
	for _, s := range Shapes() {
		for _, vars := range []int{1, 2, 5, 9, 14} {
			for seed := range uint64(5) {
				p, err := s.Make(vars, seed, false)
				require.NoError(t, err)
				again, err := s.Make(vars, seed, false)
				require.NoError(t, err)
				require.Equal(t, p.Fingerprint(), again.Fingerprint())
				require.GreaterOrEqual(t, p.NumVars(), vars)
				if s.Name != "grid" {
					require.Equal(t, vars, p.NumVars(), s.Name)
				}
				for _, c := range p.Constraints {
					seen := map[cnf.Var]bool{}
					for _, l := range c.Lits {
						require.False(t, seen[l.Var()], "%s %d %d: %v", s.Name, vars, seed, c)
						seen[l.Var()] = true
					}
				}
				shuffled, err := s.Make(vars, seed, true)
				require.NoError(t, err)
				require.Len(t, conformance.BruteForce(shuffled), len(conformance.BruteForce(p)), "%s %d %d", s.Name, vars, seed)
			}
		}
	}
}

// The problems do not change between versions: record sets are made from them.
func TestShapesStay(t *testing.T) {
	for name, want := range map[string]string{
		"features": "ed0c58b5fb7cfc9342feaa4759a60e50",
		"local":    "031f5ea479b457f7d8b3b4abe4f91405",
		"grid":     "1fb4e06fa0d510514c6f72bfdcbb9455",
		"random":   "c40811f4070a227477e692b0a431bd90",
	} {
		s, err := Named(name)
		require.NoError(t, err)
		p, err := s.Make(50, 1, true)
		require.NoError(t, err)
		assert.Equal(t, want, p.Fingerprint(), name)
	}
}

func TestErrors(t *testing.T) {
	_, err := Named("tree")
	assert.ErrorContains(t, err, `shape "tree": expected one of features, local`)
	_, err = Shapes()[0].Make(0, 1, false)
	assert.ErrorContains(t, err, "0 variables: expected 1 to")
}
