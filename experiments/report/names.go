package report

import (
	"fmt"
	"slices"
	"strings"

	"queens/experiments/config"
	"queens/experiments/record"
)

// questions are the parameters that define a question, independent of who answers it.
var questions = []string{"problem", "n", "placed", "placement", "undo", "want"}

// seriesOf returns the name of a record's line in a plot, or column in a table.
func seriesOf(r record.Row, columns []string) string {
	return config.Cells(r.Cell).Series(columns)
}

// bySeries sorts a point's records by series.
func (p point) bySeries(columns []string) map[string][]record.Row {
	series := map[string][]record.Row{}
	for _, r := range p.records {
		name := seriesOf(r, columns)
		series[name] = append(series[name], r)
	}
	return series
}

// seriesNames lists the names in the order of their parameters' values.
func (d *data) seriesNames(columns []string) []string {
	var names []string
	for _, p := range d.group(d.set.Rows, columns) {
		names = append(names, seriesOf(p.records[0], columns))
	}
	return names
}

// abridged joins values, leaving out the middle of a long list.
func abridged(values []string) string {
	if len(values) > 8 {
		return fmt.Sprintf("%s, ... %s (%d values)", strings.Join(values[:4], ", "), values[len(values)-1], len(values))
	}
	return strings.Join(values, ", ")
}

// spaced joins the words that are not empty.
func spaced(words ...string) string {
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " ")
}

func intersect(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(c string) bool { return !slices.Contains(b, c) })
}
