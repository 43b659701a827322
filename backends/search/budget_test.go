package search

import (
	"context"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"queens/backends/conformance"
	"queens/encode"
	"queens/encode/cnf"
)

// Search with a budget counts what brute force counts, for random coverings: some of the variables or their negations
// may be chosen up to a limit, and each need wants one or two of them.
func TestBudgetAgainstBruteForce(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	budgets, refuted := 0, 0
	for range 400 {
		vars := 4 + rng.IntN(9)
		p := encode.Problem{Family: "covering", Names: make(encode.List, vars)}
		some := make([]cnf.Lit, vars)
		for i := range some {
			some[i] = cnf.Lit(i+1) * cnf.Lit(1-2*rng.IntN(2))
		}
		pick := func(length int) (lits []cnf.Lit) {
			for _, i := range rng.Perm(vars)[:length] {
				lits = append(lits, some[i])
			}
			return lits
		}
		most := 1 + rng.IntN(vars/2)
		p.Constraints = append(p.Constraints, encode.Constraint{Least: rng.IntN(most + 1), Most: most, Lits: pick(vars - rng.IntN(2))})
		for range 3 + rng.IntN(8) {
			lits := pick(2 + rng.IntN(vars-2))
			if rng.IntN(5) == 0 {
				lits[0] = -lits[0]
			}
			p.Constraints = append(p.Constraints, encode.Constraint{Least: 1 + rng.IntN(2), Most: len(lits) - rng.IntN(2), Lits: lits})
		}
		o := New(p)
		if o.walker.(*general).budget != nil {
			budgets++
		}
		total, each, err := o.CountEach(context.Background(), nil)
		require.NoError(t, err)
		solutions := conformance.BruteForce(p)
		if len(solutions) == 0 {
			refuted++
		}
		want := make([]int64, vars)
		for _, model := range solutions {
			for _, v := range p.TrueVars(model) {
				want[v-1]++
			}
		}
		require.Equal(t, big.NewInt(int64(len(solutions))).String(), total.String(), "%v", p.Constraints)
		for i, count := range each {
			require.Equal(t, want[i], count.Int64(), "variable %d of %v", i+1, p.Constraints)
		}
	}
	t.Logf("%d problems with a budget, %d without a solution", budgets, refuted)
	require.Greater(t, budgets, 100)
	require.Greater(t, refuted, 20)
}
