package pool

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/ask"
)

// Who answers about a board while a person waits.
func TestWhoAnswersWhileAPersonWaits(t *testing.T) {
	for _, c := range []struct {
		n              int
		often          string
		slow, slowCold bool
	}{{8, "bdd", false, false}, {10, "bdd", false, true}, {12, "bdd", false, true},
		{13, "portfolio", false, true}, {101, "portfolio", true, true}} {
		assert.Equal(t, c.often, string(New(Limits{}).suits(c.n)), c.n)
		assert.Equal(t, c.slow, slow(c.n, true), c.n)
		assert.Equal(t, c.slowCold, slow(c.n, false), c.n)
	}
	for name, want := range map[string]struct{ counts, countsMany, lists string }{
		"bdd": {"bdd", "bdd", "bdd"}, "search": {"search", "", "search"}, "sat": {"search", "", "search"},
	} {
		d, err := ask.Named(name, 0)
		require.NoError(t, err)
		assert.EqualValues(t, want.counts, WhoCounts(d, 16), name)
		assert.EqualValues(t, want.countsMany, WhoCounts(d, 17), name)
		assert.EqualValues(t, want.lists, WhoLists(d, 13), name)
		assert.EqualValues(t, name, WhoLists(d, 12), name)
	}
}
