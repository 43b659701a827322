package recall

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends"
	"queens/backends/conformance"
	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
)

// A book answers as brute force does, and has asked about one cell of each class: as many as Burnside's lemma says.
func TestBook(t *testing.T) {
	for n, classes := range map[int]int{1: 1, 2: 1, 3: 3, 4: 3, 5: 6, 6: 6, 7: 10} {
		p, err := encode.Queens(n, nil, nil)
		require.NoError(t, err)
		k := &known{p, conformance.ByRules(p)}
		asked := 0
		book := NewBook(p, asker(func(assume []cnf.Lit) (backends.Valid, error) {
			asked++
			return k.valid(assume), nil
		}), "")
		for v := cnf.Var(0); int(v) <= n*n; v++ {
			var assume []cnf.Lit
			if v > 0 {
				assume = append(assume, v.Pos())
			}
			got, known, err := book.Answer(t.Context(), assume)
			require.NoError(t, err)
			require.True(t, known)
			require.Equal(t, k.valid(assume), got, "n = %d, %v", n, assume)
		}
		for _, other := range [][]cnf.Lit{{-1}, {1, 1}, {cnf.Lit(n*n + 1)}} {
			_, known, err := book.Answer(t.Context(), other)
			require.NoError(t, err)
			assert.False(t, known, "%v", other)
		}
		assert.Equal(t, classes+1, asked, "n = %d", n)
	}
	fixed, err := encode.Queens(5, []board.Cell{{}}, nil)
	require.NoError(t, err)
	_, known, err := NewBook(fixed, nil, "").Answer(t.Context(), nil)
	require.NoError(t, err, "a board with a queen is not asked about")
	assert.False(t, known)
	p, err := encode.Queens(4, nil, nil)
	require.NoError(t, err)
	book := NewBook(p, asker(func([]cnf.Lit) (backends.Valid, error) { return backends.Valid{}, context.Canceled }), "")
	_, known, err = book.Answer(t.Context(), nil)
	assert.ErrorIs(t, err, context.Canceled)
	assert.False(t, known)
}

// asker is a back-end that answers only questions about valid cells.
func asker(ask func(assume []cnf.Lit) (backends.Valid, error)) backends.Backend {
	return &asked{ask: ask}
}

type asked struct {
	backends.Backend
	ask func(assume []cnf.Lit) (backends.Valid, error)
}

func (a *asked) Valid(_ context.Context, assume []cnf.Lit, _ string) (backends.Valid, error) {
	return a.ask(assume)
}
