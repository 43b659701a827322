package term

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Every shipped lecture runs to its end and shows what its comments say.
func TestLectures(t *testing.T) {
	want := map[string][]string{
		"first-queens": {
			"92 solutions.",
			"4 solutions.",
			"6 forced, 1 solution.",
			"After a queen on b3, only ",
			"Solved: no queen attacks another.",
			"is the last free cell of row 3",
		},
		"why-not": {
			"b2 is attacked by the queen on a1.",
			"without a free cell",
			"each of them fails",
			"h8 is attacked by the queens on a1, e8.",
			"to blame: a1.",
			"no placed queen is to blame",
		},
		"who-answers": {
			"373 nodes",
			"Diagram (ZDD annotated), best-bdd",
			"Search (openings); answered in",
			"14200\n> backend search\n> count\n14200",
		},
	}
	assert.Len(t, Lectures(), len(want))
	for _, name := range Lectures() {
		text, err := Lecture(name)
		require.NoError(t, err)
		out, err := script(t, 8, text)
		require.NoError(t, err, name)
		for _, words := range want[name] {
			assert.Contains(t, out, words, name)
		}
		assert.NotContains(t, out, "Cannot", "%s: nothing is refused", name)
		assert.Contains(t, strings.SplitN(text, "\n", 2)[0], "#", "%s begins with a comment that says what it is", name)
	}
	_, err := Lecture("dance")
	assert.ErrorContains(t, err, "expected one of first-queens, who-answers, why-not")
}
