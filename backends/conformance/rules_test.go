package conformance

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/encode"
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

// A family that has no rules yet is told what to write, and where.
func TestFamilyWithoutRules(t *testing.T) {
	const want = "family new: write its rules, by other code than its constraints, in backends/conformance/rules.go"
	_, err := Sizes(encode.Family{Name: "new"})
	assert.EqualError(t, err, want)
	assert.PanicsWithError(t, want, func() { ByRules(encode.Problem{Family: "new"}) })
}
