package search

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"queens/backends/conformance"
	"queens/encode"
	"queens/encode/cnf"
	"queens/encode/csplib"
	"queens/encode/encodetest"
)

// random assumes part of a solution, and sometimes one more arbitrary literal.
func random(t testing.TB, p encode.Problem, rng *rand.Rand) (assume []cnf.Lit) {
	answer, err := New(p).Solve(context.Background(), nil)
	require.NoError(t, err)
	part := rng.Float64()
	for _, l := range answer.Model {
		if rng.Float64() < part && (l > 0 || rng.IntN(20) == 0) {
			assume = append(assume, l)
		}
	}
	if rng.IntN(4) == 0 {
		assume = append(assume, cnf.Lit(1+rng.IntN(p.NumVars()))*cnf.Lit(1-2*rng.IntN(2)))
	}
	return assume
}

// Supports finds what walks for single variables find, on boards of all sizes and for other problems, whether the list of
// solutions is finished or given up; and it has no walk for a literal that the assumptions decide.
func TestSupportsAgainstWalksForEachVariable(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	ctx := context.Background()
	problems := []struct {
		name   string
		rounds uint64
		make   func() encode.Problem
	}{
		{"boards", 200, func() encode.Problem {
			n := 4 + rng.IntN(13)
			p, err := encode.Queens(n, nil, nil)
			require.NoError(t, err)
			for range rng.IntN(2) * rng.IntN(n*n/3) {
				p = p.With(cnf.Var(1 + rng.IntN(n*n)).Neg())
			}
			return p
		}},
		{"hard boards", conformance.Cases(8), func() encode.Problem {
			in, err := csplib.Random(17, 3, rng.Uint64())
			require.NoError(t, err)
			p := conformance.Excluding(t, in, min(14, len(in.Diagonals)))
			return p
		}},
		{"large boards", 10, func() encode.Problem {
			p, err := encode.Queens(33+rng.IntN(4), nil, nil)
			require.NoError(t, err)
			return p
		}},
		{"families", 100, func() encode.Problem {
			families := encode.Families()
			p, err := families[rng.IntN(len(families))].Build(4 + rng.IntN(3))
			require.NoError(t, err)
			return p
		}},
		{"boards that count", conformance.Cases(40), func() encode.Problem {
			p := encodetest.Family(t, []string{"dominating", "no-three-in-line", "amazons"}[rng.IntN(3)], 7)
			if rng.IntN(3) == 0 { // keeps some of the symmetries
				p = p.With(cnf.Var(25).Neg())
			}
			return p
		}},
		{"formulas", 100, func() encode.Problem {
			shapes := encodetest.Shapes()
			return encodetest.Make(shapes[rng.IntN(len(shapes))], 10+rng.IntN(40), rng.Uint64(), true)
		}},
		{"exclusions alone", 20, func() encode.Problem {
			p := encode.Problem{Family: "exclusions", Names: make(encode.List, 40)}
			for range 60 {
				a, b := cnf.Lit(1+rng.IntN(40)), cnf.Lit(1+rng.IntN(40))
				if a != b {
					p.Constraints = append(p.Constraints, encode.AtMostOne("", a, b))
				}
			}
			return p
		}},
	}
	listed, givenUp := 0, 0
	for _, problem := range problems {
		t.Run(problem.name, func(t *testing.T) {
			for range problem.rounds {
				p := problem.make()
				assume := random(t, p, rng)
				o := New(p)
				got, err := o.Valid(ctx, assume, Supports)
				require.NoError(t, err)
				want, err := newOracle(p, newGeneral(p), "").Valid(ctx, assume, Reuse)
				require.NoError(t, err)
				require.Equal(t, want.Satisfiable, got.Satisfiable, "%s, assuming %v", p, assume)
				require.ElementsMatch(t, want.Possible, got.Possible, "%s, assuming %v", p, assume)
				require.ElementsMatch(t, want.Forced, got.Forced, "%s, assuming %v", p, assume)
				q := newQuestion(p, o.walker, o.cover != nil)
				if !q.start(assume) {
					continue
				}
				split := q.open(&q.missing, q.positive)
				require.LessOrEqual(t, got.Work.Of("walks"), int64(max(1, len(split))+1+q.missing.size()))
				if got.Work.Of("walks") > int64(max(1, len(split))) {
					givenUp++
				} else {
					listed++
				}
			}
		})
	}
	t.Logf("%d lists finished, %d given up", listed, givenUp)
	require.Greater(t, listed, 20)
	require.Greater(t, givenUp, 20)
}

// When all variables but auxiliary ones are assumed, it remains to find whether there is a solution. One
// literal of a constraint without a solution does not decide that.
func TestSupportsWhenAllIsAssumed(t *testing.T) {
	p := encode.Problem{Family: "random", Names: encode.List{""}, Auxiliary: 6, Constraints: []encode.Constraint{
		encode.ExactlyOne("", 6, -2, 5, -7), encode.ExactlyOne("", 2, 5, -3, 7),
	}}
	for _, assume := range []cnf.Lit{1, -1} {
		answer, err := New(p).Valid(context.Background(), []cnf.Lit{assume}, Supports)
		require.NoError(t, err)
		require.True(t, answer.Satisfiable, "%d", assume)
	}
}

// Long constraints that share no variable with another are answered apart from the rest, as a walk through each literal
// answers them.
func TestSupportsOfConstraintsApart(t *testing.T) {
	ctx := context.Background()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	apart := 0
	for range 60 {
		p := encode.Problem{Family: "apart", Names: make(encode.List, 120)}
		next := cnf.Lit(1)
		for next < 80 {
			var lits []cnf.Lit
			for range 10 + rng.IntN(20) {
				lits = append(lits, next*cnf.Lit(1-2*rng.IntN(2)))
				next++
			}
			if rng.IntN(4) == 0 { // both signs of a variable
				lits = append(lits, lits[0].Not())
			}
			least := rng.IntN(3)
			p.Constraints = append(p.Constraints, encode.Constraint{Lits: lits, Least: least, Most: least + rng.IntN(len(lits)-3)})
		}
		for range 8 + rng.IntN(60) { // a formula beside them, some without a solution, which now and then links them
			var lits []cnf.Lit
			for range 3 {
				v := cnf.Lit(112 + rng.IntN(8))
				if rng.IntN(25) == 0 {
					v = cnf.Lit(1 + rng.IntN(111))
				}
				lits = append(lits, v*cnf.Lit(1-2*rng.IntN(2)))
			}
			p.Constraints = append(p.Constraints, encode.AtLeastOne("", lits...))
		}
		assume := random(t, p, rng)
		got, err := New(p).Valid(ctx, assume, Supports)
		require.NoError(t, err)
		want, err := New(p).Valid(ctx, assume, Reuse)
		require.NoError(t, err)
		require.Equal(t, want.Satisfiable, got.Satisfiable, "%v, assuming %v", p.Constraints, assume)
		require.ElementsMatch(t, want.Possible, got.Possible, "%v, assuming %v", p.Constraints, assume)
		require.ElementsMatch(t, want.Forced, got.Forced, "%v, assuming %v", p.Constraints, assume)
		if g := newGeneral(p); g.start(assume) && got.Satisfiable {
			apart += len(g.separate())
		}
	}
	require.Greater(t, apart, 100)
}
