package search

import (
	"context"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"queens/backends"
	"queens/backends/conformance"
	"queens/encode"
	"queens/encode/cnf"
)

// Search with a budget counts what brute force counts, for random coverings.
func TestBudgetAgainstBruteForce(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	budgets, refuted := 0, 0
	for range 400 {
		p := covering(rng, func(length int) encode.Constraint {
			return encode.Constraint{Least: 1 + rng.IntN(2), Most: length - rng.IntN(2)}
		})
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
		want := make([]int64, p.NumVars())
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

// covering draws a problem: some of the variables or their negations may be chosen up to a limit, and needs of some
// length ask for some of them.
func covering(rng *rand.Rand, need func(length int) encode.Constraint) encode.Problem {
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
		c := need(len(lits))
		c.Lits = lits
		p.Constraints = append(p.Constraints, c)
	}
	return p
}

// Exchanging finds solutions of random coverings under assumptions, and nothing else; with the walk it finds one exactly
// if there is one.
func TestExchange(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	ctx := context.Background()
	exchanged, missed := 0, 0
	for range 1000 {
		p := covering(rng, func(length int) encode.Constraint { return encode.Constraint{Least: 1, Most: length} })
		assume := random(t, p, rng)
		solvable := len(conformance.BruteForce(p.With(assume...))) > 0
		answer, err := New(p).Solve(ctx, assume)
		require.NoError(t, err)
		require.Equal(t, solvable, answer.Status == backends.Sat, "%v, assuming %v", p.Constraints, assume)
		if solvable {
			require.NoError(t, p.With(assume...).Verify(answer.Model))
		}
		g := newGeneral(p)
		if !g.start(assume) {
			continue
		}
		x := newExchange(g)
		if x == nil {
			continue
		}
		found, err := x.run(ctx, 300)
		require.NoError(t, err)
		if found {
			exchanged++
			require.NoError(t, p.With(assume...).Verify(cnf.Model(p.NumVars(), x.appendTrue(g.AppendTrue(nil))...)))
		} else if solvable {
			missed++
		}
	}
	t.Logf("%d found, %d missed", exchanged, missed)
	require.Greater(t, exchanged, 20)
	require.LessOrEqual(t, missed, exchanged/10)

	for n := 9; n <= 17; n++ {
		family, err := encode.FamilyNamed("dominating")
		require.NoError(t, err)
		p, err := family.Build(n)
		require.NoError(t, err)
		answer, err := New(p).Solve(ctx, nil)
		require.NoError(t, err)
		require.NoError(t, p.Verify(answer.Model), "n = %d", n)
	}
}
