package report

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"queens/experiments/config"
	"queens/experiments/record"
)

// seriesOf returns the name of a record's line in a plot, or column in a table.
func seriesOf(r record.Row, columns []string) string {
	words := make([]string, len(columns))
	for i, c := range columns {
		switch words[i] = r.Cell(c); words[i] {
		case "true":
			words[i] = config.Label(c)
		case "false":
			words[i] = "no " + config.Label(c)
		}
	}
	return strings.Join(words, " ")
}

// legend returns the name of a record's series for readers: with the configuration's labels, and with the
// name of its parameter before each number.
func (d *data) legend(r record.Row, columns []string) string {
	words, named := make([]string, len(columns)), false
	for i, c := range columns {
		words[i] = seriesOf(r, columns[i:i+1])
		if _, err := strconv.ParseFloat(r.Cell(c), 64); err == nil {
			words[i], named = c+" = "+words[i], true
		}
	}
	if named {
		return strings.Join(words, ", ")
	}
	return d.labelled(seriesOf(r, columns))
}

// labelled replaces the name of a series by the configuration's label for it, or else its values by their
// labels.
func (d *data) labelled(name string) string {
	labels := d.set.Spec.Report.Labels
	if label := labels[name]; label != "" {
		return label
	}
	words, found := strings.Split(name, " "), false
	for i, w := range words {
		if label := labels[w]; label != "" {
			words[i], found = label, true
		}
	}
	if found {
		return strings.Join(words, ", ")
	}
	return fileValue.ReplaceAllString(name, "$1")
}

// fileValue matches the value of a parameter that names a file, as in cnf:models/shop.cnf, followed
// by the hash of its content.
var fileValue = regexp.MustCompile(`^[a-z]+:(?:[^#]*/)?([^/#]+)#[0-9a-f]{16}$`)

// bySeries sorts a point's records by series.
func (p point) bySeries(columns []string) map[string][]record.Row {
	series := map[string][]record.Row{}
	for _, r := range p.records {
		name := seriesOf(r, columns)
		series[name] = append(series[name], r)
	}
	return series
}

// series lists the names in the order of their parameters' values.
func (d *data) series(columns []string) []string {
	var names []string
	for _, p := range d.group(d.set.Rows, columns) {
		names = append(names, seriesOf(p.records[0], columns))
	}
	return names
}

// listed joins values, leaving out the middle of a long list.
func listed(values []string) string {
	if len(values) > 8 {
		return fmt.Sprintf("%s, ... %s (%d values)", strings.Join(values[:4], ", "), values[len(values)-1], len(values))
	}
	return strings.Join(values, ", ")
}

// spaced joins the words that are not empty.
func spaced(words ...string) string {
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " ")
}
