package ddnnf

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"queens/backends/conformance"
	"queens/encode"
	"queens/encode/cnf"
	"queens/encode/encodetest"
)

// A chain of implications, each of which is there with more literals, too, is simplified to the chain. A clause goes only
// if those that stay imply it.
func TestSimplerClauses(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	const n = 60
	p := encode.Problem{Names: make(encode.List, n)}
	for v := cnf.Var(1); v < n; v++ {
		for range 5 { // v implies the next one, or any that is later
			long := []cnf.Lit{v.Neg(), (v + 1).Pos()}
			for later := v + 2; later <= n; later += cnf.Var(1 + rng.IntN(9)) {
				long = append(long, later.Pos())
			}
			p.Constraints = append(p.Constraints, encode.AtLeastOne("", long...))
		}
		p.Constraints = append(p.Constraints, encode.AtLeastOne("", v.Neg(), (v+1).Pos()))
	}
	s := newSimplifier(p)
	s.run(math.MaxUint64)
	require.True(t, s.over)
	require.Len(t, s.problem.Constraints, n-1)
	require.Equal(t, 2*(n-1), s.literals)
}

// Simplifying step by step, it has the same solutions, at most as many literals, and as many as it says.
func TestSimplerKeepsSolutions(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	for _, shape := range encodetest.Shapes() {
		for range conformance.Cases(60) {
			p := encodetest.Make(shape, 11, rng.Uint64(), true)
			for range rng.IntN(3) { // weaker copies of clauses
				for _, c := range slices.Clone(p.Constraints) {
					if l := cnf.Var(1 + rng.IntN(p.NumVars())).Pos(); c.IsClause() {
						p.Constraints = append(p.Constraints, encode.AtLeastOne("", append(slices.Clone(c.Lits), l)...))
					}
				}
			}
			before := p
			before.Constraints = slices.Clone(p.Constraints)
			for i, c := range before.Constraints {
				before.Constraints[i].Lits = slices.Clone(c.Lits)
			}
			s := newSimplifier(p)
			for !s.over {
				s.run(s.work + s.building() + uint64(rng.IntN(20)))
			}
			require.Equal(t, before, p, "the problem itself stays")
			literals := 0
			for _, c := range s.problem.Constraints {
				literals += len(c.Lits)
			}
			require.Equal(t, literals, s.literals)
			require.LessOrEqual(t, s.literals, s.first)
			require.Equal(t, conformance.BruteForce(p), conformance.BruteForce(s.problem), "%s, seed %d: %v", shape, seed, p.Constraints)
		}
	}
}
