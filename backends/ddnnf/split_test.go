package ddnnf

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"queens/encode/cnf"
	"queens/encode/encodetest"
)

// Two open variables are in one component exactly if constraints that bind lead from one to the other. Each of these
// constraints is with its variables.
func TestSplit(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	several := 0
	for _, shape := range encodetest.Shapes() {
		for range 50 {
			p := encodetest.Make(shape, 30, rng.Uint64(), true)
			c, err := NewCompiler(t.Context(), p, 0)
			require.NoError(t, err)
			var assumed []cnf.Lit
			for v := range cnf.Var(p.NumVars()) {
				if rng.IntN(4) == 0 {
					assumed = append(assumed, []cnf.Lit{(v + 1).Pos(), (v + 1).Neg()}[rng.IntN(2)])
				}
			}
			if !c.Assume(assumed) {
				continue
			}
			if apart := rng.IntN(len(p.Constraints)); rng.IntN(2) == 0 {
				c.off[apart] = true
			}
			linked := map[cnf.Var]cnf.Var{} // by open variable: the lowest that is linked to it
			for v := range cnf.Var(p.AllVars()) {
				if c.IsOpen((v + 1).Pos()) {
					linked[v+1] = v + 1
				}
			}
			rules := map[cnf.Var][]int32{} // by lowest variable
			for i := range p.Constraints {
				if !c.Binds(i) || c.off[i] {
					continue
				}
				least := cnf.Var(p.AllVars())
				for _, l := range c.Rest(i).Lits {
					least = min(least, linked[l.Var()])
				}
				for _, l := range c.Rest(i).Lits {
					old := linked[l.Var()]
					for v, to := range linked {
						if to == old {
							linked[v] = least
						}
					}
				}
			}
			for i := range p.Constraints {
				if c.Binds(i) && !c.off[i] {
					of := linked[c.Rest(i).Lits[0].Var()]
					rules[of] = append(rules[of], int32(i))
				}
			}

			parts := c.split(c.all())
			require.Len(t, parts, len(rules))
			require.True(t, slices.IsSortedFunc(parts, func(a, b component) int { return len(a.vars) - len(b.vars) }))
			for at, part := range parts {
				of := part.vars[0]
				var vars []cnf.Var
				for v := range cnf.Var(p.AllVars()) {
					if linked[v+1] == of {
						vars = append(vars, v+1)
					}
				}
				require.Equal(t, vars, part.vars, "component %d", at)
				require.Equal(t, rules[of], part.rules, "component %d", at)
				for _, i := range part.rules {
					require.LessOrEqual(t, c.Open(int(i)), c.Open(int(part.long)))
					require.Equal(t, slices.Contains(part.begun, i), c.Open(int(i)) < len(p.Constraints[i].Lits))
				}
				delete(rules, of)
			}
			if len(parts) > 1 {
				several++
			}
			for v, of := range linked { // without a constraint: free
				bound := slices.ContainsFunc(parts, func(part component) bool { return part.vars[0] == of })
				require.Equal(t, bound, c.within[v-1] >= 0)
			}
		}
	}
	require.Positive(t, several)
}
