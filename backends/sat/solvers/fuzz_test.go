package solvers

import (
	"context"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"queens/backends"
	"queens/encode/cnf"
)

// asked is a small formula: a or b, not a or c, not b or not c.
func asked() *cnf.Formula {
	f := &cnf.Formula{Vars: 3}
	f.Add(1, 2)
	f.Add(-1, 3)
	f.Add(-2, -3)
	return f
}

// Whatever a program says in the line protocol, a model is accepted only if it
// satisfies the formula, and a core only if it consists of assumptions.
func FuzzProtocol(f *testing.F) {
	f.Add("sat 1 -2 3 0\nunsat 1 2 0\n", int8(1), int8(2))
	f.Add("c a comment\nsat 1 3 0\n", int8(1), int8(-2))
	f.Add("sat 1 2 3 0\n", int8(1), int8(2))
	f.Add("unsat 3 0\nunsat 0\n", int8(2), int8(3))
	f.Add("sat 99999999999999999999 0\n", int8(1), int8(1))
	f.Add("sat -2147483648 0\nsat 0 0\nsat", int8(1), int8(1))
	f.Fuzz(func(t *testing.T, said string, first, second int8) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		p := &process{cancel: cancel, in: io.Discard, lines: make(chan line), done: make(chan struct{})}
		close(p.done) // it says this and ends
		go p.read(ctx, io.NopCloser(strings.NewReader(said)))
		w := &Asked{client: Solver{Name: "fuzz"}.Open(), process: p, formula: asked()}
		var assume []cnf.Lit
		for _, l := range []int8{first, second} {
			if l := cnf.Lit(l % 4); l != 0 && !slices.Contains(assume, -l) {
				assume = append(assume, l)
			}
		}
		for range 3 {
			status, core, err := w.Solve(t.Context(), assume)
			if err != nil { // and this process is not asked again
				require.ErrorContains(t, err, "asking fuzz: ")
				require.Nil(t, w.process)
				return
			}
			if status == backends.Sat {
				believed(t, w, assume)
			} else {
				require.Equal(t, backends.Unsat, status)
				require.Subset(t, append(assume, 0), core)
			}
		}
	})
}

// The same for a program that is started for each query and prints its answer as in
// the SAT competitions.
func FuzzAnswers(f *testing.F) {
	f.Add([]byte("s SATISFIABLE\nv 1 -2 3 0\n"))
	f.Add([]byte("c v 1\nv 1 -2\nv 3 0\n"))
	f.Add([]byte("v 1 2 3 0\n"))
	f.Add([]byte("v 4294967297 0\nv -2147483648\n"))
	f.Fuzz(func(t *testing.T, output []byte) {
		lits, _, err := values(output)
		if err != nil {
			return
		}
		c := &Asked{formula: asked()}
		if c.model(lits, []cnf.Lit{1}) == nil {
			believed(t, c, []cnf.Lit{1})
		}
	})
}

// believed requires that the last model satisfies the formula.
func believed(t *testing.T, c *Asked, assume []cnf.Lit) {
	value := []bool{c.Value(1), c.Value(2), c.Value(3)}
	require.True(t, c.formula.Eval(value), "%v", value)
	for _, l := range assume {
		require.Equal(t, l.Positive(), c.Value(l.Var()))
	}
}
