//go:build slow

package search

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// OEIS A319236, 1,141,190,303 nodes in total, as in Knuth: takes a quarter of a
// minute.
func TestBacktrackTreeOfSixteenIsAsPublished(t *testing.T) {
	assert.Equal(t, []int{1, 16, 210, 2236, 19688, 141812, 838816, 3998456, 15324708, 46358876,
		108478966, 193892860, 260303408, 253897632, 171158018, 72002088, 14772512}, backtrackTree(16))
}
