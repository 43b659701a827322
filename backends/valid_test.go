package backends

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestWorkByName(t *testing.T) {
	w := Work{{"solves", 3}, {"conflicts", 7}}
	assert.Equal(t, int64(7), w.Of("conflicts"))
	assert.Zero(t, w.Of("nodes"))
}
