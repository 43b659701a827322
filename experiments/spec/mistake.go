package spec

import (
	"cmp"
	"slices"
	"strings"
)

// Mistake is one thing wrong with a configuration.
type Mistake struct {
	Place string // file:line:column, or the override that is to blame
	Path  string // the key, as in axes.n
	Text  string
	line  int
	col   int
}

// String writes the mistake as place: key: what is wrong.
func (m Mistake) String() string {
	var parts []string
	for _, s := range []string{m.Place, m.Path, m.Text} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, ": ")
}

// Mistakes is everything wrong with a configuration, at once.
type Mistakes []Mistake

// Error lists the mistakes, one a line, in the file's order,
// those of overrides first.
func (ms Mistakes) Error() string {
	sorted := slices.Clone(ms)
	slices.SortStableFunc(sorted, func(a, b Mistake) int {
		return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.col, b.col), cmp.Compare(a.Place, b.Place),
			cmp.Compare(a.Path, b.Path))
	})
	lines := make([]string, len(sorted))
	for i, m := range sorted {
		lines[i] = m.String()
	}
	return strings.Join(lines, "\n")
}
