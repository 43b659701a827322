package report

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	pretty "github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"queens/experiments/config"
	"queens/experiments/record"
)

// part is what the tables and the plots of a report have in common.
type part struct {
	Name  string // of its files
	Title string
	Notes []string // what a reader must know
}

func newPart(title string) part { return part{Name: config.FileName(title), Title: title} }

// where adds a note on the conditions that the part's records meet.
func (p *part) where(conditions config.Exclusion) {
	if len(conditions) > 0 {
		p.Notes = append(p.Notes, "Where "+conditionText(conditions)+".")
	}
}

// path returns the file of a table's form, within the report's folder.
func (t table) path(form string) string { return "tables/" + t.Name + "." + form }

// table is a table before it is written in any format.
type table struct {
	part
	Header []string
	names  int    // how many of its columns identify a line
	single bool   // whether all its numbers are of one measure
	sizes  string // the parameter whose numbers are the others' names, if any
	legend string // what the marks of its comparisons mean
	Rows   [][]cell
}

// cell is what a table shows in one place: words, or a number with its interval and its ratio to
// the first column's.
type cell struct {
	value   string    // the number, or the words
	spread  string    // its interval, or the extent of few runs
	extent  *estimate // what the spread says
	lost    string    // how many runs did not end well
	number  *estimate // nil for words
	above   float64   // what it is known to exceed, if that is all; else 0
	measure string    // what the number is of, and over how many runs
	n       int
	times   *multiple // nil in the first column, and where nothing is compared
	Key     string    // what a page sorts by, if not by the text
}

func word(text string) cell { return cell{value: text} }

// estimated shows a number with its interval.
func estimated(e *estimate, word func(float64) string) cell {
	c := cell{value: word(e.center), number: e, extent: e, Key: float(e.center)}
	if interval := e.interval(word); interval != "" && word(e.lo) != word(e.hi) {
		c.spread = "(" + interval + ")"
	}
	return c
}

// maxSpan bounds the ratio of the largest and the smallest number that a table shows in one unit.
const maxSpan = 1e4

// inOneUnit returns the table with all numbers of a measure in one unit, that of their median; each column has a unit
// of its own where the numbers span too much for one.
func (t table) inOneUnit() table {
	const everywhere = -1 // in place of a column
	type place struct {
		measure string
		column  int
	}
	sizes := map[place][]float64{}
	for _, row := range t.Rows {
		for j, c := range row {
			if c.number != nil && scales(c.measure) != nil {
				for _, at := range []place{{c.measure, everywhere}, {c.measure, j}} {
					sizes[at] = append(sizes[at], c.number.center)
				}
			}
		}
	}
	units := map[place][]scale{}
	for at, list := range sizes {
		slices.Sort(list)
		of := scales(at.measure)
		i := slices.IndexFunc(of, func(s scale) bool { return list[len(list)/2] >= s.size })
		if i < 0 {
			i = len(of) - 1
		}
		units[at] = of[i : i+1]
	}
	t.Rows = slices.Clone(t.Rows)
	for i, row := range t.Rows {
		t.Rows[i] = slices.Clone(row)
		for j, c := range row {
			all := sizes[place{c.measure, everywhere}]
			if all == nil || c.number == nil {
				continue
			}
			in := place{c.measure, everywhere}
			if all[len(all)-1] > maxSpan*all[0] {
				in.column = j
			}
			word := func(v float64) string { return scaled(v, units[in]) }
			c.value = word(c.number.center)
			if c.above > 0 {
				c.value = ">" + word(c.above)
			}
			if c.extent != nil {
				c.spread = estimated(c.extent, word).spread
			}
			t.Rows[i][j] = c
		}
	}
	return t
}

// Text returns all of the cell, and Narrow leaves out the interval of its ratio.
func (c cell) Text() string   { return spaced(c.value, c.spread, c.lost, c.times.text(true)) }
func (c cell) Narrow() string { return spaced(c.value, c.spread, c.lost, c.times.text(false)) }

// brief returns the number, or what became of the runs if there is none.
func (c cell) brief() string { return cmp.Or(c.value, c.lost) }

// spaced joins the words that are not empty.
func spaced(words ...string) string {
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " ")
}

// size returns the number, or the one that the words are: NaN if they are none.
func (c cell) size() float64 {
	if c.number != nil {
		return c.number.center
	}
	if v, err := strconv.ParseFloat(c.value, 64); err == nil {
		return v
	}
	return math.NaN()
}

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

// legend returns the name of a record's series as a reader would say it: with the configuration's
// labels, and numbers with the name of their parameter.
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

// labelled replaces the configuration's labels in a series' name: that of the whole, or those of
// the values that it is made of.
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

// names returns the cells that identify a line.
func (d *data) names(p point, columns []string) (row []cell) {
	for _, c := range columns {
		row = append(row, word(d.labelled(p.value(c))))
	}
	return row
}

// tables makes one table for each measure of the spec's table.
func (d *data) tables(asked config.Table) []table {
	var list []table
	titles := asked.Titles()
	for i, value := range asked.Values {
		t := table{part: newPart(titles[i]), Header: slices.Clone(asked.Rows), names: len(asked.Rows), single: true}
		names := d.series(asked.Columns)
		if len(asked.Columns) == 0 {
			t.Header = append(t.Header, config.Label(value))
		} else {
			for _, name := range names {
				t.Header = append(t.Header, d.labelled(name))
			}
		}
		if len(asked.Columns) == 1 && len(d.numeric(asked.Columns)) == 1 {
			t.sizes = asked.Columns[0] + " = "
		}
		compared, costs := false, false
		seen := shown{}
		for _, line := range d.group(d.set.Rows, asked.Rows) {
			row := d.names(line, asked.Rows)
			cells := line.bySeries(asked.Columns)
			var base sample
			for i, name := range names {
				s := d.take(cells[name], value)
				s.mean = asked.Mean
				c := s.cell(value)
				if c.value == "" && c.lost == "" {
					if len(cells[name]) == 0 {
						c.value, seen.absent = absent, true
					} else {
						c.value, seen.silent = silent, true
					}
				}
				if i == 0 {
					base = s
				} else if with := s.against(base); with != nil && (asked.Compare || !asked.Mean && d.competing(asked.Columns)) {
					c.times = with
					compared, costs = true, costs || !with.exact
				}
				seen.add(d, s, cells[name])
				row = append(row, c)
			}
			t.Rows = append(t.Rows, row)
		}
		t.Notes = seen.notes(d)
		if compared {
			t.legend = fmt.Sprintf("×: times %s; =: equal", d.labelled(names[0]))
			if costs {
				t.legend += "; ~: no significant difference"
				t.Notes = append(t.Notes, t.legend+" ("+significance+").")
			} else {
				t.Notes = append(t.Notes, t.legend+".")
			}
		}
		t.where(asked.Where)
		list = append(list, t)
	}
	return list
}

// competing reports whether columns are different ways to do the same thing, rather than
// different sizes of it: only then is a comparison meaningful.
func (d *data) competing(columns []string) bool {
	return slices.ContainsFunc(columns, func(c string) bool { return len(d.numeric([]string{c})) == 0 })
}

// listed joins values, leaving out the middle of a long list.
func listed(values []string) string {
	if len(values) > 8 {
		return fmt.Sprintf("%s, ... %s (%d values)", strings.Join(values[:4], ", "), values[len(values)-1], len(values))
	}
	return strings.Join(values, ", ")
}

// Markdown returns the table without its title and notes.
func (t table) Markdown() string {
	rows := make([][]string, len(t.Rows))
	for i, r := range t.Rows {
		for _, c := range r {
			rows[i] = append(rows[i], c.Text())
		}
	}
	return markdownTable(t.Header, rows, text.AlignRight)
}

func markdownTable(header []string, rows [][]string, align text.Align) string {
	w := grid(header, rows)
	var configs []pretty.ColumnConfig
	for i := range header {
		configs = append(configs, pretty.ColumnConfig{Number: i + 1, Align: align})
	}
	w.SetColumnConfigs(configs)
	return w.RenderMarkdown()
}

// csv returns the numbers behind the table: for each measured column its median, interval and
// number of samples.
func (t table) csv() []byte {
	var b strings.Builder
	w := csv.NewWriter(&b)
	measured := make([]bool, len(t.Header))
	for _, r := range t.Rows {
		for i, c := range r {
			measured[i] = measured[i] || c.n > 0
		}
	}
	var header []string
	for i, h := range t.Header {
		if measured[i] {
			header = append(header, h+" median", h+" low", h+" high", h+" samples")
		} else {
			header = append(header, h)
		}
	}
	_ = w.Write(header) // a strings.Builder does not fail
	for _, r := range t.Rows {
		var row []string
		for i, c := range r {
			switch {
			case !measured[i]:
				row = append(row, c.Text())
			case c.n == 0:
				row = append(row, "", "", "", "0")
			default:
				row = append(row, float(c.number.center), float(c.number.lo), float(c.number.hi), strconv.Itoa(c.n))
			}
		}
		_ = w.Write(row)
	}
	w.Flush()
	return []byte(b.String())
}

func float(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', 12, 64)
}
