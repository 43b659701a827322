package backends

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"queens/encode/cnf"
)

func TestForcedIsTheOnlyPossibleCellOfItsRow(t *testing.T) {
	assert.Equal(t, []cnf.Var{1, 12}, Forced(4, []cnf.Var{1, 5, 6, 12, 13, 16}))
	assert.Equal(t, []cnf.Var{1}, Forced(1, []cnf.Var{1}))
	assert.Empty(t, Forced(4, nil))
}

func TestWorkByName(t *testing.T) {
	w := Work{{"solves", 3}, {"conflicts", 7}}
	assert.Equal(t, int64(7), w.Of("conflicts"))
	assert.Zero(t, w.Of("nodes"))
}
