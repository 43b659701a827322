package encode_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/encode"
	"queens/encode/cnf"
	"queens/encode/encodetest"
)

// After literals are fixed in place of others, consistency, values and open needs are what going through all
// constraints until nothing changes finds; the constraints called violated are violated by literals of the trail,
// and there is one.
func TestFixAgainstPlainPropagation(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	met := map[bool]int{}
	for range 500 {
		vars := 2 + rng.IntN(10)
		p := encode.Problem{Names: make(encode.List, vars)}
		for range 1 + rng.IntN(2*vars) {
			p.Constraints = append(p.Constraints, drawConstraint(rng, vars))
		}
		r := encode.NewPropagator(p)
		for range 4 {
			var fixed []cnf.Lit
			for _, v := range rng.Perm(vars)[:rng.IntN(vars)] {
				fixed = append(fixed, cnf.Lit(v+1)*cnf.Lit(1-2*rng.IntN(2)))
			}
			values, consistent := plain(p, fixed)
			require.Equal(t, consistent, r.Fix(fixed), "seed %d: %v, %v", seed, p.Constraints, fixed)
			met[consistent]++
			if consistent {
				assert.Len(t, r.Trail(), len(values))
				for open := 1; open < 5; open++ {
					var want []int
					for i, c := range p.Constraints {
						left := slices.DeleteFunc(slices.Clone(c.Lits), func(l cnf.Lit) bool { return values[l] || values[l.Not()] })
						if met := c.Sum(func(l cnf.Lit) bool { return values[l] }); met < c.Least && len(left) == open {
							want = append(want, i)
						}
					}
					require.Equal(t, want, r.Needs(open), "seed %d", seed)
				}
				continue
			}
			violated := r.Violated()
			require.NotEmpty(t, violated, "seed %d: %v, %v", seed, p.Constraints, fixed)
			trail := r.Trail()
			require.True(t, slices.Equal(fixed, trail[:len(fixed)]))
			for _, i := range violated {
				c := p.Constraints[i]
				held := c.Sum(func(l cnf.Lit) bool { return slices.Contains(trail, l) })
				open := c.Sum(func(l cnf.Lit) bool { return !slices.Contains(trail, l) && !slices.Contains(trail, l.Not()) })
				require.True(t, held+open < c.Least || held > c.Most, "seed %d", seed)
			}
			// Nothing that the literals given exclude is left out.
			for _, c := range p.Constraints {
				for _, l := range c.Lits {
					if slices.Contains(fixed, l) && c.Excludes() {
						for _, other := range c.Lits {
							require.True(t, other == l || slices.Contains(trail, other) || slices.Contains(trail, other.Not()), "seed %d", seed)
						}
					}
				}
			}
		}
	}
	assert.Greater(t, min(met[true], met[false]), 100)
}

// plain goes through all constraints until nothing changes.
func plain(p encode.Problem, lits []cnf.Lit) (values map[cnf.Lit]bool, consistent bool) {
	values = map[cnf.Lit]bool{}
	for _, l := range lits {
		values[l] = true
	}
	for before := -1; before < len(values); {
		before = len(values)
		for _, c := range p.Constraints {
			trues, open, weight := 0, 0, map[cnf.Lit]int{}
			for k, l := range c.Lits {
				if weight[l] = 1; c.Weights != nil {
					weight[l] = c.Weights[k]
				}
				if values[l] {
					trues += weight[l]
				} else if !values[l.Not()] {
					open += weight[l]
				}
			}
			if trues > c.Most || trues+open < c.Least {
				return values, false
			}
			for l, weight := range weight {
				if values[l] || values[l.Not()] {
					continue
				}
				if trues+weight > c.Most {
					values[l.Not()] = true
				}
				if trues+open-weight < c.Least {
					values[l] = true
				}
			}
		}
	}
	for l := range values {
		if values[l.Not()] {
			return values, false
		}
	}
	return values, true
}

// Certain literals are true in every solution, and all that unit propagation finds by refuting a negation are among
// them.
func TestCertain(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 0))
	failed := 0
	for range 500 {
		vars := 2 + rng.IntN(5)
		p := encode.Problem{Names: make(encode.List, vars-1), Auxiliary: 1}
		for range 1 + rng.IntN(2*vars) {
			p.Constraints = append(p.Constraints, drawConstraint(rng, vars))
		}
		certain := p.Certain()
		for bits := range 1 << vars {
			var model []cnf.Lit
			for v := range vars {
				model = append(model, cnf.Lit(v+1)*cnf.Lit(1-2*(bits>>v&1)))
			}
			if _, solution := plain(p, model); !solution {
				continue
			}
			for _, l := range certain {
				require.Contains(t, model, l, "seed %d: %v", seed, p.Constraints)
			}
			for _, l := range model[:vars-1] {
				if !encode.NewPropagator(p).Assume([]cnf.Lit{l.Not()}) {
					failed++
					require.Contains(t, certain, l, "seed %d: %v", seed, p.Constraints)
				}
			}
		}
	}
	require.Greater(t, failed, 100, "seed %d", seed)
}

// In a long chain of implications in the wrong order each literal implies all those before it. It is not gone
// through literal by literal: that would take minutes.
func TestCertainOfALongChain(t *testing.T) {
	const vars = 60_000
	p := encode.Problem{Names: make(encode.List, vars)}
	for v := 2; v <= vars; v++ {
		p.Constraints = append(p.Constraints, encode.AtLeastOne("", cnf.Lit(-v), cnf.Lit(v-1)))
	}
	require.Empty(t, p.Certain())
}

// drawConstraint draws a constraint of any kind over up to four of the variables.
func drawConstraint(rng *rand.Rand, vars int) encode.Constraint {
	var lits []cnf.Lit
	for _, v := range rng.Perm(vars)[:1+rng.IntN(min(vars, 4))] {
		lits = append(lits, cnf.Lit(v+1)*cnf.Lit(1-2*rng.IntN(2)))
	}
	return encodetest.Any(rng)("", lits...)
}
