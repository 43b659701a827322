package explain_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends"
	"queens/backends/conformance"
	"queens/backends/sat"
	"queens/configure/explain"
	"queens/encode"
	"queens/encode/cnf"
)

func gini(p encode.Problem) (backends.Backend, error) { return sat.New(p), nil }

// Reasons on random problems, against brute force: a witness is a solution; what is to blame rules
// the literal out, is minimal, and is smallest where that is said; the constraints to blame do the
// same alone; and each step follows from its constraint and from what came before.
func TestLiteral(t *testing.T) {
	ctx := context.Background()
	seed := conformance.Number(t, "EXPLAIN_SEED", rand.Uint64())
	rng := rand.New(rand.NewPCG(seed, 0))
	verdicts := map[string]int{}
	for i := range conformance.Number(t, "EXPLAIN_CASES", 600) {
		p := randomProblem(rng, 10)
		hint := fmt.Sprintf("EXPLAIN_SEED=%d, case %d: %v", seed, i, p.Constraints)
		var assumed []cnf.Lit
		for _, v := range rng.Perm(p.NumVars())[:rng.IntN(p.NumVars()+1)] {
			assumed = append(assumed, cnf.Lit(v+1)*cnf.Lit(1-2*rng.IntN(2)))
		}
		l := cnf.Lit(1+rng.IntN(p.NumVars())) * cnf.Lit(1-2*rng.IntN(2))
		r, err := explain.Literal(ctx, p, gini, explain.LiteralQuestion{
			Assumed: assumed, Literal: l, Constraints: true, Smallest: time.Minute,
		})
		require.NoError(t, err, hint)
		all := conformance.BruteForce(p)
		has := func(lits ...cnf.Lit) bool {
			return slices.ContainsFunc(all, func(model []cnf.Lit) bool { return holds(model, lits) })
		}
		if has(append(assumed, l)...) {
			require.True(t, holds(r.Witness, append(assumed, l)), hint)
			require.NoError(t, p.Verify(r.Witness), hint)
			verdicts["possible"]++
			continue
		}
		require.Nil(t, r.Witness, hint)
		require.False(t, has(append(r.Blame, l)...), hint)
		for k := range r.Blame {
			require.True(t, has(append(slices.Delete(slices.Clone(r.Blame), k, k+1), l)...), hint)
		}
		require.True(t, r.Smallest && r.ConstraintsSmallest, hint)
		for bits := range 1 << len(assumed) { // no smaller set does
			var some []cnf.Lit
			for k, a := range assumed {
				if bits>>k&1 == 1 {
					some = append(some, a)
				}
			}
			if len(some) < len(r.Blame) {
				require.True(t, has(append(some, l)...), "%s: %v is enough", hint, some)
			}
		}
		only := p
		for drop := -1; drop < len(r.Constraints); drop++ { // all of them, and all but one
			only.Constraints = nil
			for k, c := range r.Constraints {
				if k != drop {
					only.Constraints = append(only.Constraints, p.Constraints[c])
				}
			}
			require.Equal(t, drop >= 0, len(conformance.BruteForce(only.With(append(r.Blame, l)...))) > 0, hint)
		}
		verdicts["ruled out"]++
		checkSteps(t, p, r, hint, verdicts)
	}
	t.Logf("EXPLAIN_SEED=%d: %v", seed, verdicts)
	for _, kind := range []string{"possible", "derived", "supposed"} {
		assert.Positive(t, verdicts[kind], kind)
	}
}

func checkSteps(t *testing.T, p encode.Problem, r explain.Reason, hint string, verdicts map[string]int) {
	if len(r.Steps) == 0 {
		verdicts["by search"]++
		return
	}
	known := append(slices.Clone(r.Blame), p.Fixed...)
	goal := r.Literal.Not()
	if verdicts["derived"]++; r.Supposed {
		known, goal = append(known, r.Literal), 0
		verdicts["derived"]--
		verdicts["supposed"]++
	}
	for _, s := range r.Steps {
		for _, l := range s.Because {
			require.Contains(t, known, l, "%s: %v", hint, s)
		}
		alone := encode.Problem{Names: p.Names, Constraints: p.Constraints[s.Constraint : s.Constraint+1], Fixed: s.Because}
		if s.Literal != 0 {
			alone = alone.With(s.Literal.Not())
		}
		require.Empty(t, conformance.BruteForce(alone), "%s: %v does not follow", hint, s)
		known = append(known, s.Literal)
		require.NotEmpty(t, s.Sentence(p))
	}
	last := r.Steps[len(r.Steps)-1].Literal
	require.True(t, last == goal || last == 0, "%s: %v", hint, r.Steps)
}

func holds(model, lits []cnf.Lit) bool {
	for _, l := range lits {
		if len(model) == 0 || model[l.Var()-1] != l {
			return false
		}
	}
	return true
}

// randomProblem has constraints of all bounds over literals of both signs, some of them empty,
// some variables fixed, and some in no constraint.
func randomProblem(rng *rand.Rand, most int) encode.Problem {
	vars := 2 + rng.IntN(most-1)
	p := encode.Problem{Family: "random", Names: make(encode.List, vars)}
	for range 1 + rng.IntN(2*vars) {
		c := encode.Constraint{Bound: encode.Bound(rng.IntN(3))}
		length := 1 + rng.IntN(min(vars, 4))
		if rng.IntN(100) == 0 {
			length = 0
		}
		for _, v := range rng.Perm(vars)[:length] {
			c.Lits = append(c.Lits, cnf.Lit(v+1)*cnf.Lit(1-2*rng.IntN(2)))
		}
		p.Constraints = append(p.Constraints, c)
	}
	if rng.IntN(4) == 0 {
		p = p.With(cnf.Lit(1 + rng.IntN(vars)))
	}
	return p
}

// What people read about constraints and reasons.
func TestWords(t *testing.T) {
	p := encode.Problem{Names: encode.List{"bed", "slats", "mattress", "hard", "soft", "bunk"}, Constraints: []encode.Constraint{
		{Name: "line 7", Lits: []cnf.Lit{-1, 2}},
		{Name: "line 8", Bound: encode.AtMostOne, Lits: []cnf.Lit{5, 6}},
		{Name: "lines 9 to 12", Bound: encode.ExactlyOne, Lits: []cnf.Lit{-3, 4, 5}},
		{Lits: []cnf.Lit{-2, 3, 6}},
		{Name: "line 14", Lits: []cnf.Lit{1}},
		{Name: "line 15", Bound: encode.AtMostOne, Lits: []cnf.Lit{4, -5, 6}},
	}}
	for i, want := range []string{
		"bed needs slats (line 7)", "soft excludes bunk (line 8)",
		"mattress has exactly one of hard, soft, and they need it (lines 9 to 12)",
		"slats needs one of mattress, bunk (constraint 4)", "bed holds (line 14)",
		"at most one of hard, not soft, bunk (line 15)",
	} {
		assert.Equal(t, want, explain.Words(p, i))
	}
	r, err := explain.Literal(context.Background(), p, gini, explain.LiteralQuestion{Assumed: []cnf.Lit{4, -6}, Literal: 5})
	require.NoError(t, err)
	assert.Equal(t, "soft is ruled out by hard", r.Sentence(p))
	assert.Equal(t, "not soft, because of hard: mattress has exactly one of hard, soft, and they need it (lines 9 to 12)",
		r.Steps[0].Sentence(p))
	r, err = explain.Literal(context.Background(), p, gini, explain.LiteralQuestion{Literal: -2})
	require.NoError(t, err)
	assert.Equal(t, "not slats is in no solution, whatever is assumed", r.Sentence(p))
}
