package param

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

// The nearest word is found by a distance that has a metric's properties.
func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		d    int
	}{{"", "", 0}, {"kitten", "sitting", 3}, {"", "abc", 3}, {"flaw", "lawn", 2}, {"row", "wor", 2}} {
		assert.Equal(t, c.d, distance(c.a, c.b), c)
	}
	word := rapid.StringMatching(`[abc]{0,6}`)
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := word.Draw(t, "a"), word.Draw(t, "b"), word.Draw(t, "c")
		assert.Equal(t, a == b, distance(a, b) == 0)
		assert.Equal(t, distance(a, b), distance(b, a))
		assert.LessOrEqual(t, distance(a, c), distance(a, b)+distance(b, c))
	})
	assert.Equal(t, "; did you mean row-major?", DidYouMean("row-mayor", []string{"column-major", "row-major"}))
	assert.Empty(t, DidYouMean("xyz", []string{"column-major", "row-major"}))
}
