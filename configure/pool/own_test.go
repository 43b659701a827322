package pool

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/ask"
	"queens/backends"
	"queens/backends/conformance"
	"queens/encode/cnf"
	"queens/encode/encodetest"
)

// A formula's d-DNNF takes over once it is compiled, a board's diagram as well, with the same answers.
func TestWhatIsCompiledTakesOver(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	p := encodetest.Make("features", 20, seed, true)
	warm := New(Limits{})
	warm.Kept = func(Key, error) { t.Error("it was compiled") }
	require.NoError(t, warm.Own(t.Context(), p, ask.Choice{}, nil))
	require.NoError(t, warm.Lent().Wait(t.Context()))
	lease, err := warm.Lend(t.Context(), 0, ask.Choice{})
	require.NoError(t, err)
	assert.Equal(t, ask.DDNNF, lease.Key.Backend)
	found, err := lease.Valid(t.Context(), nil, "")
	require.NoError(t, err)
	truth := conformance.BruteForce(p)
	assert.Equal(t, len(truth) > 0, found.Satisfiable, "seed %d", seed)
	assert.Equal(t, len(truth) > 0, warm.Bytes() > 0, "without a solution, the d-DNNF has no node: seed %d", seed)
	for v := range p.NumVars() {
		possible := false
		for _, m := range truth {
			possible = possible || m[v] > 0
		}
		assert.Equal(t, possible, slices.Contains(found.Possible, cnf.Var(v+1)), "seed %d, variable %d", seed, v+1)
	}
}

// Where memory does not suffice to compile, the first back-end answers on, and that is told once.
func TestWhatIsNotCompiledIsToldOnce(t *testing.T) {
	warm, told := New(Limits{CompileBytes: 1 << 20}), 0
	warm.Kept = func(by Key, err error) {
		told++
		assert.Equal(t, ask.Portfolio, by.Backend)
		assert.ErrorAs(t, err, new(*backends.LimitError))
	}
	require.NoError(t, warm.Own(t.Context(), encodetest.Make("grid", 169, 1, true), ask.Choice{}, nil))
	for range 3 {
		require.NoError(t, warm.Lent().Wait(t.Context()))
		lease, err := warm.Lend(t.Context(), 0, ask.Choice{})
		require.NoError(t, err)
		assert.Equal(t, ask.Portfolio, lease.Key.Backend)
		warm.Return(lease)
	}
	assert.Equal(t, 1, told)
}
