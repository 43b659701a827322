package bdd

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/encode/cnf"
	"queens/robdd"
)

// Whichever kind was saved, every method answers as if the problem had just been compiled,
// over diagrams of the same sizes; and the ROBDD is drawn only when a method needs it.
func TestLoadedAnswersAsCompiled(t *testing.T) {
	ctx := context.Background()
	p := problem(t, 7, nil, nil)
	compiled := compile(t, p, named(t, "snake", 7), Options{})
	for _, saved := range []*robdd.Diagram{drawn(t, compiled), zdd(t, compiled)} {
		c := Loaded(p, compiled.Construction, saved, 0)
		for _, method := range []string{SweepZDD, Sweep, Restrict} {
			for _, assume := range [][]cnf.Lit{nil, {3}, {3, -20}, {3, 4}} {
				got, err := New(c).Valid(ctx, assume, method)
				require.NoError(t, err)
				want, err := New(compiled).Valid(ctx, assume, method)
				require.NoError(t, err)
				assert.Equal(t, want, got, "%s, saved as a %v, %v", method, saved.Kind(), assume)
			}
			if method == SweepZDD {
				assert.True(t, c.drawn == nil || saved.Kind() == robdd.BDD, "drawn too early")
			}
		}
		assert.True(t, equal(t, drawn(t, compiled), drawn(t, c)))
		assert.Equal(t, compiled.Bytes(), c.Bytes())
	}
}

// Drawing a loaded diagram keeps to the limits; after it was interrupted, it can be tried
// again.
func TestDrawingALoadedDiagram(t *testing.T) {
	p := problem(t, 8, nil, nil)
	zdd := zdd(t, compile(t, p, named(t, "row-major", 8), Options{}))
	var limit *robdd.LimitError
	o := New(Loaded(p, "", zdd, 20_000))
	_, err := o.Valid(context.Background(), nil, Sweep)
	require.ErrorAs(t, err, &limit)
	_, err = o.Valid(context.Background(), nil, SweepZDD)
	require.NoError(t, err)
	c := Loaded(p, "", zdd, 40_000)
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = c.As(cancelled, robdd.BDD)
	require.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, 2451, drawn(t, c).Len())
}
