package search

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/encode"
	"queens/encode/cnf"
	"queens/encode/encodetest"
)

// The estimate is near the number of literals that counting sets, with many solutions and with few. On feature models it can be a
// third of that, since few descents are long; these are not tested.
func TestForesee(t *testing.T) {
	for _, c := range []struct {
		shape string
		vars  int
		seed  uint64
	}{{"random", 60, 1}, {"random", 60, 3}, {"random", 100, 2}, {"grid", 49, 1}} {
		p := encodetest.Make(c.shape, c.vars, c.seed, true)
		o := New(p)
		_, err := o.Count(t.Context(), nil)
		require.NoError(t, err)
		foreseen, is := Foresee(p, 1<<28, 256)
		assert.True(t, is)
		assert.InEpsilon(t, float64(o.Visited()), foreseen, .6, "%s of %d, %d", c.shape, c.vars, c.seed)
		_, is = Foresee(p, float64(o.Visited())/8, 256)
		assert.False(t, is, "%s of %d, %d", c.shape, c.vars, c.seed)
	}
	for _, c := range []encode.Problem{
		{Names: make(encode.List, 3)}, // nothing to choose
		{Names: make(encode.List, 1), Constraints: []encode.Constraint{encode.AtLeastOne("", 1), encode.AtLeastOne("", -1)}},
	} {
		foreseen, is := Foresee(c, 1, 8)
		assert.Zero(t, foreseen)
		assert.True(t, is)
	}
	// One clause of two: either literal is set first; if it is false, the other follows. Descents of the same length agree.
	foreseen, _ := Foresee(encode.Problem{Names: make(encode.List, 2), Constraints: []encode.Constraint{encode.AtLeastOne("", cnf.Lit(1), 2)}}, 1e9, 8)
	assert.InDelta(t, 3, foreseen, 0)
}
