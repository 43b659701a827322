package near

import (
	"math/rand/v2"
	"slices"
	"testing"

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
		p := encodetest.Problem(rng)
		vars := p.NumVars()
		r := encode.NewPropagator(p)
		if !r.Assume(nil) {
			continue
		}
		w := newWatcher(vars, p.Constraints)
		for i := range r.Len() {
			require.True(t, w.push(r.At(i), reason{}))
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
			want, got := r.Add(l), w.push(l, reason{}) && w.propagate()
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
