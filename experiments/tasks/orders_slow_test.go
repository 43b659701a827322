//go:build slow

package tasks

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A board too large for listed solutions has no reference, so the solutions are counted.
// It takes ten seconds and a gigabyte.
func TestOrderSizeOfALargeBoard(t *testing.T) {
	task := made(t, "order-size", params{"n": 15, "order": "two-ended", "sift": "no", "method": "engine"})
	require.True(t, exists(t, task))
	require.Empty(t, task.References())
	found := run(t, task)
	assert.Equal(t, "A000170", found.CheckedBy)
	assert.Equal(t, 49584865, found.Values.(OrderSizeResult).BDDNodes)
	assert.False(t, exists(t, made(t, "order-size", params{"n": 15, "sift": "no", "method": "listed"})))
	assert.False(t, exists(t, made(t, "order-size", params{"n": 15, "sift": "bdd", "method": "engine"})))
}
