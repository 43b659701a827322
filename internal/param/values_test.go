package param

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestDidYouMean(t *testing.T) {
	orders := []string{"column-major", "row-major", "z-order"}
	for word, want := range map[string]string{
		"row-mayor": "; did you mean row-major?", "Row-Major": "; did you mean row-major?", "zorder": "; did you mean z-order?",
		"MAJOR": "; did you mean column-major or row-major?", "ajor": "", "xyz": "", "row-major": "", "row": "; did you mean row-major?", "": "",
	} {
		assert.Equal(t, want, DidYouMean(word, orders), word)
	}
	assert.Equal(t, "; did you mean output or only?", DidYouMean("o", []string{"amo", "output", "only"}))
}
