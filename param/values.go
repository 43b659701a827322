package param

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Enumerated is a string type with a closed set of values.
type Enumerated interface{ Values() []string }

// Patterned is an [Enumerated] type with further values, such as names with a number. Pattern
// returns a regular expression for them and a description.
type Patterned interface {
	Enumerated
	Pattern() (expression, title string)
}

// Wrong says what is wrong with a value if it is none of the type's, in the words that a
// configuration's check uses, too; it returns nothing for a good one.
func Wrong(of Enumerated, value string) string {
	if slices.Contains(of.Values(), value) {
		return ""
	}
	more := ""
	if p, ok := of.(Patterned); ok {
		expression, title := p.Pattern()
		if regexp.MustCompile(expression).MatchString(value) {
			return ""
		}
		more = ", or " + title
	}
	return Expected(value, of.Values(), more)
}

// Expected says that a value is none of those expected, and what more would do.
func Expected(value string, expected []string, more string) string {
	return fmt.Sprintf("%q: expected one of %s%s%s", value, strings.Join(expected, ", "), more, DidYouMean(value, expected))
}

// Texts returns the values of a string type as strings.
func Texts[T ~string](values []T) []string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = string(v)
	}
	return texts
}
