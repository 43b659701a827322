package report

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"queens/experiments/record"
)

// Documents makes documents from templates that quote record sets. A template is text, in
// Markdown or LaTeX or any other form, in the language of Go's text/template:
//
//	{{$times := table "valid-cells" "Time of a query" -}}
//	With eight queens it takes {{$times.Value "n = 8" "sat pack"}}.
//
// names a table of a set's report and quotes one of its cells. Conditions choose lines ("n = 8,
// 12"), and the other arguments columns; the column * stands for all measured ones. A cell is
// quoted by its number (Value), by its ratio to the first column (Ratio), by the intervals of
// these (Interval, RatioInterval), or as a whole (Cell). If several cells are chosen, the smallest
// and the largest value or ratio are quoted. Show quotes the chosen part of a table in Markdown.
//
//	{{quoted "knuth2009" "2,453"}}
//
// marks a figure that somebody else has published, by its key in the references.
type Documents struct {
	load  func(set string) (record.Set, error)
	known map[string][]table
}

// NewDocuments returns Documents that quote the sets that load finds by name.
func NewDocuments(load func(set string) (record.Set, error)) *Documents {
	return &Documents{load, map[string][]table{}}
}

// Fill makes a document from its template. An error begins with the place in the template, as
// name:line:column.
func (d *Documents) Fill(name string, source []byte) ([]byte, error) {
	functions := template.FuncMap{"table": d.table, "quoted": func(_, text string) string { return text }}
	t, err := template.New(name).Funcs(functions).Parse(string(source))
	var b bytes.Buffer
	if err == nil {
		err = t.Execute(&b, nil)
	}
	if err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), "template: "))
	}
	return b.Bytes(), nil
}

func (d *Documents) table(name, title string) (Quoted, error) {
	tables, ok := d.known[name]
	if !ok {
		set, err := d.load(name)
		if err != nil {
			return Quoted{}, err
		}
		if tables, _, err = newData(set).shown(); err != nil {
			return Quoted{}, err
		}
		d.known[name] = tables
	}
	var titles []string
	for _, t := range tables {
		if t.Title == title {
			return Quoted{t}, nil
		}
		titles = append(titles, t.Title)
	}
	return Quoted{}, fmt.Errorf("no table %q in %s: expected one of %s", title, name, strings.Join(titles, "; "))
}

// Quoted is a table that a document quotes. Its methods are described at [Documents].
type Quoted struct{ table table }

// Value quotes the number of a cell, or the range of several.
func (q Quoted) Value(asked ...string) (string, error) {
	return q.cells(asked, "value", func(c cell) (string, float64) {
		if c.sum != nil {
			return c.number(), c.sum.center
		}
		return c.number(), math.NaN()
	})
}

// Cell quotes a cell as it stands in the table.
func (q Quoted) Cell(asked ...string) (string, error) {
	return q.cells(asked, "text", func(c cell) (string, float64) { return c.Text, math.NaN() })
}

// Ratio quotes the ratio of a cell to the first column, or the range of several. A ~ stands before
// one where the samples show no significant difference.
func (q Quoted) Ratio(asked ...string) (string, error) {
	return q.cells(asked, "ratio", func(c cell) (string, float64) {
		if c.times == nil || math.IsNaN(c.times.times) || math.IsInf(c.times.times, 0) {
			return "", math.NaN()
		}
		text := times(c.times.times)
		switch {
		case c.times.above:
			text = "more than " + text
		case !c.times.differs && !c.times.exact:
			text = "~" + text
		}
		return text, c.times.times
	})
}

// Interval quotes the interval of a cell's number.
func (q Quoted) Interval(asked ...string) (string, error) {
	return q.cells(asked, "interval", func(c cell) (string, float64) {
		if c.sum != nil && !math.IsNaN(c.sum.lo) {
			return number(c.measure, c.sum.lo) + " to " + number(c.measure, c.sum.hi), math.NaN()
		}
		return cellPattern.FindStringSubmatch(c.Text)[2], math.NaN()
	})
}

// RatioInterval quotes the interval of a cell's ratio to the first column.
func (q Quoted) RatioInterval(asked ...string) (string, error) {
	return q.cells(asked, "interval of a ratio", func(c cell) (string, float64) {
		if c.times == nil || math.IsNaN(c.times.lo) {
			return "", math.NaN()
		}
		return times(c.times.lo) + " to " + times(c.times.hi), math.NaN()
	})
}

// Show returns the table in Markdown: the chosen lines, with the columns that identify them and
// those that are chosen, or all.
func (q Quoted) Show(asked ...string) (string, error) {
	rows, wanted, err := q.lines(asked)
	if err != nil {
		return "", err
	}
	chosen := q.table
	chosen.Rows = rows
	return chosen.only(wanted).Markdown(), nil
}

// lines returns the lines that meet the conditions, and the names of columns among the arguments.
func (q Quoted) lines(asked []string) (rows [][]cell, columns []string, err error) {
	rows = q.table.Rows
	for _, a := range asked {
		if a == "*" || slices.Contains(q.table.Header, a) {
			columns = append(columns, a)
			continue
		}
		name, values, condition := strings.Cut(a, " = ")
		at := slices.Index(q.table.Header, name)
		if at < 0 {
			return nil, nil, fmt.Errorf("%q has no column %q: expected one of %s", q.table.Title, name,
				strings.Join(q.table.Header, "; "))
		}
		if !condition {
			return nil, nil, fmt.Errorf("%q: expected a column, or NAME = VALUE", a)
		}
		rows = slices.DeleteFunc(slices.Clone(rows),
			func(r []cell) bool { return !slices.Contains(strings.Split(values, ", "), r[at].Text) })
	}
	if len(rows) == 0 {
		return nil, nil, fmt.Errorf("no line of %q meets the conditions %s", q.table.Title, strings.Join(asked, ", "))
	}
	return rows, columns, nil
}

// cells quotes one cell, or the smallest and the largest of several; cells that have nothing to
// quote are left out, since a series may lack some points.
func (q Quoted) cells(asked []string, what string, quote func(cell) (string, float64)) (string, error) {
	type found struct {
		text string
		size float64
	}
	rows, columns, err := q.lines(asked)
	if err != nil {
		return "", err
	}
	var list []found
	for _, r := range rows {
		for at, c := range r {
			if !slices.Contains(columns, q.table.Header[at]) && !(c.sum != nil && slices.Contains(columns, "*")) {
				continue
			}
			text, size := quote(c)
			if text == "" || text == "-" {
				continue
			}
			if v, err := strconv.ParseFloat(text, 64); err == nil && math.IsNaN(size) {
				size = v
			}
			list = append(list, found{text, size})
		}
	}
	if len(list) == 0 {
		return "", fmt.Errorf("%q has no %s at %s", q.table.Title, what, strings.Join(asked, ", "))
	}
	least, most := list[0], list[0]
	for _, f := range list[1:] {
		if math.IsNaN(f.size) || math.IsNaN(least.size) {
			return "", fmt.Errorf("%d cells of %q are chosen, and their sizes cannot be compared: choose one",
				len(list), q.table.Title)
		}
		if f.size < least.size {
			least = f
		}
		if f.size >= most.size {
			most = f
		}
	}
	if least.text == most.text {
		return least.text, nil
	}
	return least.text + " to " + most.text, nil
}

// cellPattern matches a cell's number and its interval.
var cellPattern = regexp.MustCompile(
	`^(.*?)(?: ±[^ ]*)?(?: \[.*?\])?(?: \(([^×=~].*? to .*?)\))?(?: \([×=~].*\))?$`)

// number returns the cell's number as text, without its interval and ratio.
func (c cell) number() string { return cellPattern.FindStringSubmatch(c.Text)[1] }
