package robdd

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestKindsByName(t *testing.T) {
	for _, k := range Kinds() {
		again, err := ParseKind(k.String())
		require.NoError(t, err)
		assert.Equal(t, k, again)
	}
	_, err := ParseKind("bd")
	assert.ErrorContains(t, err, `diagram "bd": expected bdd or zdd`)
}
