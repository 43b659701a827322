package rotation

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"queens/encode"
	"queens/encode/cnf"
	"queens/encode/encodetest"
)

// Whatever is set, flipped or restored, Violated says what going through all constraints says. A flip that succeeds leaves a
// solution that has the literal, and differs from the last one in what Flipped names; one that fails changes nothing.
func TestModel(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 1))
	succeeded, failed, several := 0, 0, 0
	for range 300 {
		p := encodetest.Problem(rng)
		fixed := make([]int8, 2*p.NumVars())
		m := New(p, encode.NewPropagator(p), fixed)
		literal := func() cnf.Lit { return cnf.Lit(1+rng.IntN(p.NumVars())) * cnf.Lit(1-2*rng.IntN(2)) }
		for range 30 {
			m.Start()
			before := slices.Clone(m.Values())
			for range rng.IntN(20) {
				m.Set(literal())
				require.Equal(t, violated(p, m.Values()), m.Violated(), "seed %d: %v, %v", seed, p.Constraints, m.Values())
			}
			for range rng.IntN(10) { // as a search does
				l, more := m.Next()
				require.Equal(t, violated(p, m.Values()), more, "seed %d: %v, %v", seed, p.Constraints, m.Values())
				if l == 0 {
					break
				}
				m.Set(l)
			}
			if m.Violated() {
				m.Restore()
				require.Equal(t, before, m.Values(), "seed %d: %v", seed, p.Constraints)
				continue
			}
			m.Keep()
			for range 20 {
				l := literal()
				if before := slices.Clone(m.Values()); m.Flip(l) {
					succeeded++
					require.True(t, m.isTrue(l), "seed %d", seed)
					require.False(t, violated(p, m.Values()), "seed %d: %v, %v flipped to %v", seed, p.Constraints, before, m.Values())
					if len(m.Flipped()) > 1 {
						several++
					}
					for _, l := range m.Flipped() {
						before[l.Var()-1] = l.Positive()
					}
					require.Equal(t, before, m.Values(), "seed %d", seed)
				} else {
					failed++
					require.Equal(t, before, m.Values(), "seed %d", seed)
				}
			}
		}
	}
	require.Greater(t, min(succeeded, failed, several), 1000, "seed %d", seed)
}

// A flip changes no variable that is fixed.
func TestFixed(t *testing.T) {
	p := encode.Problem{Names: make(encode.List, 3), Constraints: []encode.Constraint{encode.AtLeastOne("", -1, 2), encode.AtLeastOne("", -1, 3)}}
	fixed := make([]int8, 6)
	m := New(p, encode.NewPropagator(p), fixed)
	fixed[cnf.Lit(3).Index()] = -1
	require.False(t, m.Flip(1))
	fixed[cnf.Lit(3).Index()] = 0
	require.True(t, m.Flip(1))
	require.Equal(t, []bool{true, true, true}, m.Values())
}

// violated goes through all constraints.
func violated(p encode.Problem, values []bool) bool {
	return slices.ContainsFunc(p.Constraints, func(c encode.Constraint) bool {
		trues := 0
		for _, l := range c.Lits {
			if values[l.Var()-1] == l.Positive() {
				trues++
			}
		}
		return trues < c.Least || trues > c.Most
	})
}
