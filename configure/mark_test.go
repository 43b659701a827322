package configure

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A sign means one thing, so no two marks share one, and each has a meaning of its own.
func TestEachMarkHasASignOfItsOwn(t *testing.T) {
	signs, means := map[string]bool{}, map[string]bool{}
	for m := Invalid; m <= Untold; m++ {
		assert.Len(t, m.Sign(), 1)
		assert.False(t, signs[m.Sign()], "%q", m.Sign())
		assert.False(t, means[m.String()], "%q", m)
		signs[m.Sign()], means[m.String()] = true, true
	}
	assert.Len(t, marks, len(signs))
	assert.Equal(t, "* queen to blame  # blocked", Legend(Blamed, Blocked))
}
