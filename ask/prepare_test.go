package ask_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/ask"
	"queens/backends"
	"queens/encode"
	"queens/encode/cnf"
)

// A back-end that is opened for valid cells has done its method's one-time work: the first question, about the empty
// board or one queen, costs search nothing more. Opened for another question, it has not.
func TestPreparedAtOpening(t *testing.T) {
	p, err := encode.Queens(8, nil, nil)
	require.NoError(t, err)
	for want, prepared := range map[ask.Want]bool{ask.Valid: true, ask.Count: false} {
		s, err := ask.Start(t.Context(), p, ask.Choice{Backend: ask.Search, Method: "openings"}, want, ask.Resources{})
		require.NoError(t, err)
		visited := s.Backend.(interface{ Visited() uint64 }).Visited
		before := visited()
		assert.Equal(t, prepared, before > 0)
		for _, assume := range [][]cnf.Lit{nil, {4}, {61}} {
			found, err := s.Valid(t.Context(), assume, "")
			require.NoError(t, err)
			assert.True(t, found.Satisfiable)
		}
		assert.Equal(t, prepared, visited() == before)
		require.NoError(t, s.Close())
		var _ backends.Preparer = s.Backend.(backends.Preparer)
	}
}
