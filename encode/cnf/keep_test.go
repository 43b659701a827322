package cnf

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A literal is written as strconv writes it.
func TestAppendLit(t *testing.T) {
	for _, l := range []Lit{1, 9, 10, 99, 100, 12345, 999_999_999, 1_000_000_000, math.MaxInt32} {
		for _, l := range []Lit{l, -l} {
			assert.Equal(t, "x"+strconv.Itoa(int(l))+" ", string(appendLit([]byte("x"), l)))
		}
	}
}

// A formula keeps its clauses up to the limit. Beyond it has none, but counts them all.
func TestKeep(t *testing.T) {
	f := Keep(6)
	f.Add(1, 2)
	f.Add(-3, 1)
	assert.False(t, f.Dropped())
	assert.Equal(t, [][]Lit{{1, 2}, {-3, 1}}, slices.Collect(f.Clauses()))
	f.Add(4)
	assert.True(t, f.Dropped())
	assert.Empty(t, slices.Collect(f.Clauses()))
	f.Add(5)
	assert.Equal(t, 4, f.NumClauses())
	assert.Equal(t, 5, f.Vars)
}
