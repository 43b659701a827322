package param

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
)

// Enumerated is a string type with a closed set of values.
type Enumerated interface{ Values() []string }

// Patterned is an [Enumerated] type with further values, such as names with a number. Pattern
// returns a regular expression for them and a description.
type Patterned interface {
	Enumerated
	Pattern() (expression, title string)
}

// Renamed is an [Enumerated] type some of whose values had other names before.
type Renamed interface {
	Enumerated
	Was() Was
}

// Was maps values to what they were before, as JSON has it, such as false. A run keeps its id, which is made from that.
type Was map[string]string

// Now returns the present name of a value.
func (w Was) Now(text string) string {
	for now, was := range w {
		if text == was {
			return now
		}
	}
	return text
}

// Wrong says what is wrong with a value that is not one of the type's, in the same words as a
// configuration's check. It returns "" for a valid value.
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

// Expected says that a value is not one of those expected. more describes further valid values.
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

// Bytes is an amount of memory written as 512MiB or 4GiB.
type Bytes uint64

// BytesPattern is the form of an amount.
const BytesPattern = `^([1-9][0-9]{0,8})(KiB|MiB|GiB)$`

func (b Bytes) String() string {
	for _, u := range []struct {
		size Bytes
		name string
	}{{1 << 30, "GiB"}, {1 << 20, "MiB"}} {
		if b >= u.size && b%u.size == 0 {
			return fmt.Sprintf("%d%s", b/u.size, u.name)
		}
	}
	return fmt.Sprintf("%dKiB", b>>10)
}

// MarshalText writes the amount as UnmarshalText reads it.
func (b Bytes) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

// UnmarshalText reads a positive amount in KiB, MiB or GiB.
func (b *Bytes) UnmarshalText(text []byte) error {
	m := regexp.MustCompile(BytesPattern).FindSubmatch(text)
	if m == nil {
		return fmt.Errorf("memory %q: expected a number and a unit, as in 512MiB or 4GiB", text)
	}
	v, _ := strconv.ParseUint(string(m[1]), 10, 64) // nine digits at most
	*b = Bytes(v) << map[string]uint{"KiB": 10, "MiB": 20, "GiB": 30}[string(m[2])]
	return nil
}

// DidYouMean returns a hint that names the candidates that begin with word, or else those that end with it after a sign, as
// CONFIG_NET does with net, if they are few; or else the one that word likely misspells; "" if there is none.
func DidYouMean(word string, candidates []string) string {
	for _, partOf := range []func(word, name string) bool{begins, ends} {
		longer := slices.DeleteFunc(slices.Clone(candidates), func(c string) bool { return c == word || !partOf(word, c) })
		if word != "" && 0 < len(longer) && len(longer) <= 3 {
			return fmt.Sprintf("; did you mean %s?", strings.Join(longer, " or "))
		}
	}
	hint, least := "", max(2, len(word)/3)+1
	for _, c := range candidates {
		if d := levenshtein.ComputeDistance(strings.ToLower(word), strings.ToLower(c)); d < least && word != c {
			hint, least = fmt.Sprintf("; did you mean %s?", c), d
		}
	}
	return hint
}

func begins(word, name string) bool { return strings.HasPrefix(name, word) }

func ends(word, name string) bool {
	first, is := strings.CutSuffix(strings.ToLower(name), strings.ToLower(word))
	last, _ := utf8.DecodeLastRuneInString(first)
	return is && first != "" && !unicode.IsLetter(last) && !unicode.IsDigit(last)
}
