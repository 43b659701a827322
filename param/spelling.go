package param

import (
	"fmt"
	"strings"
)

// DidYouMean returns a hint that names the candidate that word is likely to be a misspelling of, or
// nothing.
func DidYouMean(word string, candidates []string) string {
	hint, least := "", max(2, len(word)/3)+1
	for _, c := range candidates {
		if d := distance(strings.ToLower(word), strings.ToLower(c)); d < least && word != c {
			hint, least = fmt.Sprintf("; did you mean %s?", c), d
		}
	}
	return hint
}

// distance returns the least number of letters to insert, delete or replace that turns one word
// into the other (Wagner and Fischer, JACM 21(1), 1974).
func distance(a, b string) int {
	row := make([]int, len(b)+1) // from what has been read of a to each beginning of b
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		left := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := left
			if a[i] != b[j] {
				replaced++
			}
			left, row[j+1] = row[j+1], min(replaced, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
