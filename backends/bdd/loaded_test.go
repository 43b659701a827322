package bdd

import (
	"context"
	"maps"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends"
	"queens/encode"
	"queens/encode/cnf"
	"queens/order"
	"queens/robdd"
)

// Whichever kind was saved, every method answers as if the problem had just been compiled, over diagrams
// of the same sizes; and the ROBDD is made only when a method needs it.
func TestLoadedAnswersAsCompiled(t *testing.T) {
	ctx := context.Background()
	p := problem(t, 7, nil, nil)
	compiled := compile(t, p, named(t, "snake", 7), Options{})
	for _, saved := range []*robdd.Diagram{robddOf(t, compiled), zdd(t, compiled)} {
		c := reloaded(t, compiled, saved, 0)
		for _, method := range []string{SweepZDD, Sweep, Restrict} {
			for _, assume := range [][]cnf.Lit{nil, {3}, {3, -20}, {3, 4}} {
				got, err := New(c).Valid(ctx, assume, method)
				require.NoError(t, err)
				want, err := New(compiled).Valid(ctx, assume, method)
				require.NoError(t, err)
				assert.Equal(t, want, got, "%s, saved as a %v, %v", method, saved.Kind(), assume)
			}
			if method == SweepZDD {
				assert.True(t, c.other == nil || saved.Kind() == robdd.BDD, "made too early")
			}
		}
		assert.True(t, equal(t, robddOf(t, compiled), robddOf(t, c)))
		assert.Equal(t, compiled.Bytes(), c.Bytes())
	}
}

// Converting a loaded diagram respects the limits; after an interruption, it can be tried again.
func TestDrawingALoadedDiagram(t *testing.T) {
	p := problem(t, 8, nil, nil)
	compiled := compile(t, p, named(t, "row-major", 8), Options{})
	zdd := zdd(t, compiled)
	var limit *backends.LimitError
	o := New(reloaded(t, compiled, zdd, 20_000))
	_, err := o.Valid(context.Background(), nil, Sweep)
	require.ErrorAs(t, err, &limit)
	_, err = o.Valid(context.Background(), nil, SweepZDD)
	require.NoError(t, err)
	c := reloaded(t, compiled, zdd, 40_000)
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = c.As(cancelled, robdd.BDD)
	require.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, 2451, robddOf(t, c).Len())
}

// reloaded is a diagram of a problem as if it had been saved.
func reloaded(t testing.TB, c *Compiled, d *robdd.Diagram, maxBytes int64) *Compiled {
	t.Helper()
	loaded, err := Loaded(c.Problem, d, c.Meta("snake"), maxBytes)
	require.NoError(t, err)
	return loaded
}

// A diagram answers only for its own problem: the same variables by number and by name, and at least
// the literals that were fixed when it was saved.
func TestLoadedForAnotherProblem(t *testing.T) {
	clause := encode.AtLeastOne("c", 1, 2)
	own := encode.Problem{Family: "cnf", Names: encode.List{"a", "b", ""}, Constraints: []encode.Constraint{clause}}
	own = own.With(-3, -3)
	compiled := compile(t, own, order.Order{1, 2, 3}, Options{})
	meta, d := compiled.Meta("natural"), zdd(t, compiled)
	_, err := Loaded(own.With(1), d, meta, 0)
	require.NoError(t, err, "more is fixed, and -3 was fixed twice")

	other := func(change func(p *encode.Problem)) encode.Problem {
		p := own
		change(&p)
		return p
	}
	for says, p := range map[string]encode.Problem{
		"of another problem, not of opb":    other(func(p *encode.Problem) { p.Family = "opb" }),
		"a board of size 0, not 3":          other(func(p *encode.Problem) { p.N = 3 }),
		"a diagram of 3 variables, not 4":   other(func(p *encode.Problem) { p.Names = encode.List{"a", "b", "", ""} }),
		"of other constraints":              other(func(p *encode.Problem) { p.Constraints = nil }),
		"variables of other names":          other(func(p *encode.Problem) { p.Names = encode.List{"b", "a", ""} }),
		"compiled with 3 false, which this": other(func(p *encode.Problem) { p.Fixed = []cnf.Lit{1} }),
	} {
		_, err := Loaded(p, d, meta, 0)
		assert.ErrorContains(t, err, says)
	}
	// Nodes of another function are rejected even if they are sound.
	changed := compile(t, own.With(1), order.Order{1, 2, 3}, Options{})
	for _, kind := range robdd.Kinds() {
		_, err = Loaded(own, as(t, compiled, kind), meta, 0)
		assert.NoError(t, err)
		_, err = Loaded(own, as(t, changed, kind), meta, 0)
		assert.ErrorContains(t, err, "nodes are not those")
	}
	for key := range meta {
		lacking := maps.Clone(meta)
		delete(lacking, key)
		if _, err := Loaded(own, d, lacking, 0); key != MetaOrder && key != MetaConstruction {
			assert.ErrorContains(t, err, "does not say its "+key)
		}
	}
	for _, fixed := range []string{"4", "x", "0", "-", "3,,", "-2147483648", "99999999999999999999"} {
		changed := maps.Clone(meta)
		changed[metaFixed] = fixed
		_, err := Loaded(own, d, changed, 0)
		assert.ErrorContains(t, err, "which", fixed)
	}
}
