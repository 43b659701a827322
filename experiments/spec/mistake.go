package spec

import (
	"cmp"
	"slices"
	"strings"
)

// Mistake is an error in a configuration.
type Mistake struct {
	Place string // file:line:column, or the override at fault
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

// Mistakes are all the mistakes in a configuration.
type Mistakes []Mistake

// Error lists the mistakes, one per line, those of overrides first, the others in the file's
// order.
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
