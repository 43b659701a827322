package config

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Mistake is an error in a configuration.
type Mistake struct {
	Place string // file:line:column, or the override at fault
	Text  string

	path      []string // path of the value at fault; empty if the text names it
	line, col int
}

// String writes the mistake as place: key: what is wrong. Keys are written as in report.plots[0].x.
func (m Mistake) String() string {
	path := ""
	for _, name := range m.path {
		if _, err := strconv.Atoi(name); err == nil {
			path += "[" + name + "]"
		} else {
			path += "." + name
		}
	}
	parts := []string{m.Place, strings.TrimPrefix(path, "."), m.Text}
	parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
	return strings.Join(parts, ": ")
}

// Mistakes are all the mistakes in a configuration.
type Mistakes []Mistake

// Error lists the mistakes, one per line: mistakes in overrides first, the others in the file's order.
func (ms Mistakes) Error() string {
	sorted := slices.Clone(ms)
	slices.SortStableFunc(sorted, func(a, b Mistake) int {
		return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.col, b.col), cmp.Compare(a.String(), b.String()))
	})
	var lines []string
	for _, m := range sorted {
		lines = append(lines, m.String())
	}
	return strings.Join(slices.Compact(lines), "\n")
}
