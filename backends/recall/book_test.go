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
		book, err := NewBook(t.Context(), p, func(_ context.Context, assume []cnf.Lit) (backends.Valid, error) {
			asked++
			return k.valid(assume), nil
		})
		require.NoError(t, err)
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
		_, known := book.Answer([]cnf.Lit{-1})
		assert.False(t, known)
		_, known = book.Answer([]cnf.Lit{1, 1})
		assert.False(t, known)
	}
	fixed, err := encode.Queens(5, []board.Cell{{}}, nil)
	require.NoError(t, err)
	book, err := NewBook(t.Context(), fixed, nil)
	require.NoError(t, err)
	assert.Nil(t, book)
	p, err := encode.Queens(4, nil, nil)
	require.NoError(t, err)
	_, err = NewBook(t.Context(), p, func(_ context.Context, assume []cnf.Lit) (backends.Valid, error) {
		return backends.Valid{}, context.Canceled
	})
	assert.ErrorIs(t, err, context.Canceled)
}
