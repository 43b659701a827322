package param

import (
	"fmt"
	"strings"

	"github.com/agnivade/levenshtein"
)

// DidYouMean returns a hint that names the candidate that word is likely to be a misspelling of, or
// nothing.
func DidYouMean(word string, candidates []string) string {
	hint, least := "", max(2, len(word)/3)+1
	for _, c := range candidates {
		if d := levenshtein.ComputeDistance(strings.ToLower(word), strings.ToLower(c)); d < least && word != c {
			hint, least = fmt.Sprintf("; did you mean %s?", c), d
		}
	}
	return hint
}
