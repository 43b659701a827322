package conformance

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The constraints of every family have the same solutions as its rules.
func TestConstraintsSayTheRules(t *testing.T) {
	small, err := smallFamilies()
	require.NoError(t, err)
	for _, p := range small {
		assert.Equal(t, ByRules(p), BruteForce(p), "%s", p)
		last := p.With(-1)
		assert.Equal(t, ByRules(last), BruteForce(last), "%s without its first variable", p)
	}
}
