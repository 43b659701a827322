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
		book := NewBook(p)
		_, known := book.Answer(nil)
		assert.False(t, known, "nobody has been asked")
		for range 2 {
			require.NoError(t, book.Fill(t.Context(), func(_ context.Context, assume []cnf.Lit) (backends.Valid, error) {
				asked++
				return k.valid(assume), nil
			}))
		}
		assert.Equal(t, classes+1, asked, "n = %d", n)
		for range 2 {
			for v := cnf.Var(0); int(v) <= n*n; v++ {
				var assume []cnf.Lit
				if v > 0 {
					assume = append(assume, v.Pos())
				}
				got, known := book.Answer(assume)
				require.True(t, known)
				require.Equal(t, k.valid(assume), got, "n = %d, %v", n, assume)
			}
		}
		_, known = book.Answer([]cnf.Lit{-1})
		assert.False(t, known)
		_, known = book.Answer([]cnf.Lit{1, 1})
		assert.False(t, known)
		_, known = book.Answer([]cnf.Lit{cnf.Lit(n*n + 1)})
		assert.False(t, known)
	}
	fixed, err := encode.Queens(5, []board.Cell{{}}, nil)
	require.NoError(t, err)
	book := NewBook(fixed)
	require.NoError(t, book.Fill(t.Context(), nil), "a board with a queen is not asked about")
	_, known := book.Answer(nil)
	assert.False(t, known)
	p, err := encode.Queens(4, nil, nil)
	require.NoError(t, err)
	assert.ErrorIs(t, NewBook(p).Fill(t.Context(), func(_ context.Context, assume []cnf.Lit) (backends.Valid, error) {
		return backends.Valid{}, context.Canceled
	}), context.Canceled)
}
