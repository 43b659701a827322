package sat

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

// However literals are added and taken back, the watcher sets what the Propagator sets, which counts, and finds the
// same contradictions.
func TestWatcherAgainstThePropagator(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 2))
	met := map[bool]int{}
	for range 2000 {
		vars := 3 + rng.IntN(9)
		p := encode.Problem{Names: make(encode.List, vars)}
		for range 2 + rng.IntN(2*vars) {
			rule := encode.AtLeastOne
			if rng.IntN(3) == 0 {
				rule = encodetest.Rule(rng)
			}
			var lits []cnf.Lit
			for _, v := range rng.Perm(vars)[:2+rng.IntN(min(vars, 6)-1)] {
				lits = append(lits, cnf.Lit(v+1)*cnf.Lit(1-2*rng.IntN(2)))
			}
			c := rule("", lits...)
			if rng.IntN(4) == 0 {
				c.Least = rng.IntN(len(lits))
				c.Most = c.Least + rng.IntN(len(lits))
			}
			p.Constraints = append(p.Constraints, c)
		}
		r := encode.NewPropagator(p)
		if !r.Assume(nil) {
			continue
		}
		w := newWatcher(vars, p.Constraints)
		for i := range r.Len() {
			require.True(t, w.push(r.At(i)))
		}
		require.True(t, w.propagate(), "seed %d: %v", seed, p.Constraints)
		lengths := []int{r.Len()} // to which both can return
		for range 30 {
			require.Len(t, w.trail, r.Len(), "seed %d: %v", seed, p.Constraints)
			require.ElementsMatch(t, r.Trail(), w.trail, "seed %d: %v", seed, p.Constraints)
			if rng.IntN(3) == 0 {
				to := lengths[rng.IntN(len(lengths))]
				lengths = slices.DeleteFunc(lengths, func(l int) bool { return l > to })
				r.Undo(to)
				w.undo(to)
				continue
			}
			l := cnf.Lit(1+rng.IntN(vars)) * cnf.Lit(1-2*rng.IntN(2))
			want, got := r.Add(l), w.add(l)
			require.Equal(t, want, got, "seed %d: adding %d to %v: %v", seed, l, w.trail, p.Constraints)
			if met[want]++; want {
				lengths = append(lengths, r.Len())
				continue
			}
			r.Undo(lengths[len(lengths)-1])
			w.undo(lengths[len(lengths)-1])
		}
	}
	require.Greater(t, min(met[true], met[false]), 1000, "seed %d", seed)
}

// What many literals need is refuted once, and they become false with it.
func TestRefuteWhatOthersNeed(t *testing.T) {
	const many, x, a = 50, 51, 52
	constraints := []encode.Constraint{encode.AtLeastOne("", -x, a), encode.AtLeastOne("", -x, -a)}
	for l := cnf.Lit(1); l <= many; l++ {
		constraints = append(constraints, encode.AtLeastOne("", -l, x))
	}
	w := newWatcher(a, constraints)
	require.False(t, w.add(7))
	w.refute(0)
	assert.Len(t, w.trail, many+1) // x too, but not a
	for l := cnf.Lit(1); l <= x; l++ {
		assert.Contains(t, w.trail, l.Not())
	}
	assert.True(t, w.isOpen(a))

	w = newWatcher(3, []encode.Constraint{ // 1 needs both others, which exclude each other
		encode.AtLeastOne("", -1, 2), encode.AtLeastOne("", -1, 3), encode.AtLeastOne("", -2, -3)})
	require.False(t, w.add(1))
	w.refute(0)
	assert.Equal(t, []cnf.Lit{-1}, w.trail)
}
