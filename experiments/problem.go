package experiments

import (
	"cmp"
	"slices"
	"strings"
)

// Problem is one thing wrong with a configuration.
type Problem struct {
	Place string // file:line:column, or the override that is to blame
	Path  string // the key, as in axes.n
	Text  string
	line  int
	col   int
}

// String writes the problem as place: key: what is wrong.
func (p Problem) String() string {
	var parts []string
	for _, s := range []string{p.Place, p.Path, p.Text} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, ": ")
}

// Problems is everything wrong with a configuration, at once.
type Problems []Problem

// Error lists the problems, one a line, in the file's order.
func (ps Problems) Error() string {
	sorted := slices.Clone(ps)
	slices.SortStableFunc(sorted, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.col, b.col))
	})
	lines := make([]string, len(sorted))
	for i, p := range sorted {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}
