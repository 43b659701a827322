package near

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends/conformance"
	"queens/encode"
	"queens/encode/cnf"
	"queens/encode/encodetest"
)

// A variable with a copy of another one's constraints is found. In every solution that contains a literal, each literal that is
// alike can become true. Answers are those of brute force, also where an assumption rules one of the two out.
func TestAlike(t *testing.T) {
	seed := conformance.Number(t, "ALIKE_SEED", rand.Uint64())
	rng := rand.New(rand.NewPCG(seed, 4))
	pairs, cases := 0, conformance.Cases(500)
	for range cases {
		p := encodetest.Problem(rng)
		l := cnf.Lit(1+rng.IntN(p.NumVars())) * cnf.Lit(1-2*rng.IntN(2))
		twin := cnf.Lit(p.NumVars() + 1)
		p.Names = make(encode.List, int(twin))
		whole := rng.IntN(2) == 0 // what either literal of the variable may violate
		for _, c := range p.Constraints {
			at := slices.IndexFunc(c.Lits, func(x cnf.Lit) bool { return x.Var() == l.Var() })
			if at >= 0 && (whole || c.Lits[at] != l && c.Least > 0 || c.Lits[at] == l && c.Limits()) {
				c.Lits = slices.Clone(c.Lits)
				if c.Lits[at] == l {
					c.Lits[at] = twin
				} else {
					c.Lits[at] = twin.Not()
				}
				rng.Shuffle(len(c.Lits), func(i, j int) { c.Lits[i], c.Lits[j] = c.Lits[j], c.Lits[i] })
				p.Constraints = append(p.Constraints, c)
			}
		}
		rng.Shuffle(len(p.Constraints), func(i, j int) { p.Constraints[i], p.Constraints[j] = p.Constraints[j], p.Constraints[i] })
		solutions, known := conformance.BruteForce(p), map[string]bool{}
		for _, s := range solutions {
			known[bitsOf(s)] = true
		}
		a := newAlike(encode.NewPropagator(p), p.Constraints, p.NumVars())
		with := func(l cnf.Lit) (list []cnf.Lit) {
			a.find(l, func(other cnf.Lit) bool {
				if a.find(l, func(o cnf.Lit) bool { return o == other }) {
					list = append(list, other)
				}
				return false
			})
			return list
		}
		if whole {
			require.Contains(t, with(l), twin, "ALIKE_SEED=%d: %v", seed, p.Constraints)
			require.Contains(t, with(twin.Not()), l.Not(), "ALIKE_SEED=%d: %v", seed, p.Constraints)
		}
		for _, x := range cnf.Model(p.NumVars()) {
			for _, x := range []cnf.Lit{x, x.Not()} {
				for _, y := range with(x) {
					pairs++
					for _, s := range solutions {
						if s[x.Var()-1] == x {
							s = slices.Clone(s)
							s[y.Var()-1] = y
							require.True(t, known[bitsOf(s)], "ALIKE_SEED=%d: %v for %v in %v", seed, y, x, p.Constraints)
						}
					}
				}
			}
		}
		o := New(p)
		o.start().refuting = 1 << 40 // it pays to find them
		for _, assume := range [][]cnf.Lit{nil, {l}, {l.Not()}, {twin.Not()}, {l.Not(), twin}, {l, twin.Not()}} {
			got, err := o.Valid(context.Background(), assume, "remember")
			require.NoError(t, err)
			possible := make([]bool, p.NumVars())
			for _, s := range solutions {
				if !slices.ContainsFunc(assume, func(l cnf.Lit) bool { return s[l.Var()-1] != l }) {
					for v, x := range s {
						possible[v] = possible[v] || x.Positive()
					}
				}
			}
			for v, is := range possible {
				require.Equal(t, is, slices.Contains(got.Possible, cnf.Var(v+1)), "ALIKE_SEED=%d: %v under %v", seed, p.Constraints, assume)
			}
		}
	}
	assert.Greater(t, pairs, int(cases/2))
}

func bitsOf(solution []cnf.Lit) string {
	bits := make([]byte, len(solution))
	for i, l := range solution {
		if l.Positive() {
			bits[i] = 1
		}
	}
	return string(bits)
}

// Refuting many that are alike takes few more searches than refuting one.
func TestRefuteAlike(t *testing.T) {
	searches := func(options int) int64 {
		p := encode.Problem{Names: make(encode.List, 2+options)}
		for v := cnf.Lit(3); int(v) <= p.NumVars(); v++ { // each option is false, whatever 1 and 2 are
			for _, c := range [][]cnf.Lit{{1, 2}, {1, -2}, {-1, 2}, {-1, -2}} {
				p.Constraints = append(p.Constraints, encode.AtLeastOne("", append(c, -v)...))
			}
		}
		valid, err := New(p).Valid(context.Background(), nil, "")
		require.NoError(t, err)
		assert.Equal(t, []cnf.Var{1, 2}, valid.Possible)
		return valid.Work.Of("searches")
	}
	assert.LessOrEqual(t, searches(50), searches(1)+3) // until it pays to look for them
}

// What rules out a literal rules out those that are alike, unless it is its negation that is assumed or fixed.
func TestRefutedAlike(t *testing.T) {
	p := encode.Problem{Names: make(encode.List, 3), Constraints: []encode.Constraint{
		encode.AtLeastOne("", -1, 3), encode.AtLeastOne("", -2, 3)}}
	for given, want := range map[cnf.Lit]bool{-1: false, -3: true} {
		for _, fixed := range []bool{false, true} {
			p, assume := p, []cnf.Lit{given}
			if fixed {
				p, assume = p.With(given), nil
			}
			o := New(p)
			o.start().refuting = 1 << 40 // it pays to find them
			q, err := o.Begin(assume, false)
			require.NoError(t, err)
			assert.Equal(t, want, q.refutedAlike(2), "%v given, fixed: %t", given, fixed)
		}
	}
}
