package report

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"

	"queens/experiments/record"
)

// marker matches a quotation in a document with its markers:
//
//	<!-- record: SET: TABLE -->
//	(the table)
//	<!-- end -->
//
// quotes a table of the set's report, by its title, and
//
//	<!-- record: SET: TABLE; n = 8; value of sat pack -->70.0 µs<!-- end -->
//
// within a line quotes a cell of it. Parts between semicolons choose lines (n = 8, 12) and
// columns (columns A | B, of a table). A cell is quoted as a whole (cell of), by its number
// (value of), by its ratio to the first column (ratio of), or by the intervals of these
// (interval of, ratio interval of). If several cells are chosen, the smallest and the largest
// value or ratio are quoted; the column * stands for all measured columns.
var marker = regexp.MustCompile(`(?s)(<!-- record: (.*?) -->)(.*?)<!-- end -->`)

// Quotes fills quotations of record sets into this repository's documents. No command does
// this, only a test and `make generate`.
type Quotes struct {
	load  func(set string) (record.Set, error)
	known map[string][]table
}

// NewQuotes returns Quotes of the sets that load finds by name.
func NewQuotes(load func(set string) (record.Set, error)) *Quotes {
	return &Quotes{load, map[string][]table{}}
}

// Fill fills in what a document's markers ask for. The error names a marker that asks for
// something that does not exist.
func (q *Quotes) Fill(document []byte) ([]byte, error) {
	var failed error
	filled := marker.ReplaceAllFunc(document, func(old []byte) []byte {
		m := marker.FindSubmatch(old)
		said, err := q.answer(string(m[2]), strings.HasPrefix(string(m[3]), "\n"))
		if err == nil {
			return []byte(string(m[1]) + said + "<!-- end -->")
		}
		if failed == nil {
			failed = fmt.Errorf("%s: %w", m[1], err)
		}
		return old
	})
	return filled, failed
}

func (q *Quotes) answer(asked string, block bool) (string, error) {
	question, err := parseQuote(asked)
	if err != nil {
		return "", err
	}
	tables, ok := q.known[question.set]
	if !ok {
		set, err := q.load(question.set)
		if err != nil {
			return "", err
		}
		if len(set.Rows) == 0 {
			return "", fmt.Errorf("set %s holds no records", question.set)
		}
		if tables, _, err = newData(set).shown(); err != nil {
			return "", err
		}
		q.known[question.set] = tables
	}
	return question.from(tables, block)
}

// quote is what a marker asks for.
type quote struct {
	set, title string
	lines      map[string][]string // values of the columns that identify a line
	columns    []string
	form       string // empty for a table
}

func parseQuote(asked string) (q quote, err error) {
	parts := strings.Split(asked, "; ")
	var ok bool
	if q.set, q.title, ok = strings.Cut(parts[0], ": "); !ok {
		return q, fmt.Errorf("expected SET: TABLE")
	}
	q.lines = map[string][]string{}
	for _, part := range parts[1:] {
		if name, values, ok := strings.Cut(part, " = "); ok {
			q.lines[name] = strings.Split(values, ", ")
			continue
		}
		if list, ok := strings.CutPrefix(part, "columns "); ok {
			q.columns = strings.Split(list, " | ")
			continue
		}
		form, column, ok := strings.Cut(part, " of ")
		if !ok || !slices.Contains([]string{"cell", "value", "interval", "ratio", "ratio interval"}, form) {
			return q, fmt.Errorf("%q: expected NAME = VALUE, columns A | B, or cell, value, interval, ratio or "+
				"ratio interval of COLUMN", part)
		}
		q.form, q.columns = form, strings.Split(column, " | ")
	}
	return q, nil
}

// from returns the quotation. block says whether the document has room for a table.
func (q quote) from(tables []table, block bool) (string, error) {
	i := slices.IndexFunc(tables, func(t table) bool { return t.Title == q.title })
	if i < 0 {
		var titles []string
		for _, t := range tables {
			titles = append(titles, t.Title)
		}
		return "", fmt.Errorf("no table %q: expected one of %s", q.title, strings.Join(titles, "; "))
	}
	t := tables[i]
	rows := t.Rows
	for name, values := range q.lines {
		at := slices.Index(t.Header, name)
		if at < 0 {
			return "", fmt.Errorf("no column %q: expected one of %s", name, strings.Join(t.Header, "; "))
		}
		rows = slices.DeleteFunc(slices.Clone(rows), func(r []cell) bool { return !slices.Contains(values, r[at].Text) })
	}
	if len(rows) == 0 {
		return "", fmt.Errorf("the conditions choose no line")
	}
	columns, err := q.chosen(t, rows)
	if err != nil {
		return "", err
	}
	switch {
	case q.form == "" && !block:
		return "", fmt.Errorf("a table must be on its own lines")
	case q.form != "" && block:
		return "", fmt.Errorf("a value must be within a line")
	case q.form == "":
		var header []string
		lines := make([][]string, len(rows))
		for _, c := range columns {
			header = append(header, t.Header[c])
			for i, r := range rows {
				lines[i] = append(lines[i], r[c].Text)
			}
		}
		return "\n" + markdownTable(header, lines, text.AlignRight) + "\n", nil
	}
	var cells []cell
	for _, r := range rows {
		for _, c := range columns {
			cells = append(cells, r[c])
		}
	}
	return said(q.form, cells)
}

// chosen returns the columns by position; for a table, also those that identify its lines.
func (q quote) chosen(t table, rows [][]cell) (columns []int, err error) {
	measured := func(i int) bool { return slices.ContainsFunc(rows, func(r []cell) bool { return r[i].sum != nil }) }
	wanted := slices.Clone(q.columns)
	for i, h := range t.Header {
		all := slices.Contains(q.columns, "*") && measured(i) || q.form == "" && (len(q.columns) == 0 || i < t.names)
		if at := slices.Index(wanted, h); at >= 0 {
			wanted = slices.Delete(wanted, at, at+1)
		} else if !all {
			continue
		}
		columns = append(columns, i)
	}
	wanted = slices.DeleteFunc(wanted, func(c string) bool { return c == "*" })
	if len(wanted) > 0 || len(columns) == 0 {
		return nil, fmt.Errorf("no column %q: expected one of %s", strings.Join(wanted, ", "), strings.Join(t.Header, "; "))
	}
	return columns, nil
}

// cellPattern matches a cell's number and its interval.
var cellPattern = regexp.MustCompile(
	`^(.*?)(?: ±[^ ]*)?(?: \[.*?\])?(?: \(([^×=~].*? to .*?)\))?(?: \([×=~].*\))?$`)

// ratio returns the ratio of a cell to the first column, with a ~ if the two are not told
// apart.
func (c cell) ratio() (text string, size float64) {
	if c.times == nil || math.IsNaN(c.times.times) || math.IsInf(c.times.times, 0) {
		return "", math.NaN()
	}
	text = times(c.times.times)
	switch {
	case c.times.above:
		text = "more than " + text
	case !c.times.toldApart && !c.times.exact:
		text = "~" + text
	}
	return text, c.times.times
}

// said quotes one cell, or the smallest and the largest of several.
func said(form string, cells []cell) (string, error) {
	type part struct {
		text string
		size float64
	}
	var parts []part
	for _, c := range cells {
		m := cellPattern.FindStringSubmatch(c.Text)
		p := part{size: math.NaN()}
		switch form {
		case "cell":
			p.text = c.Text
		case "value":
			p.text = m[1]
			if c.sum != nil {
				p.size = c.sum.center
			}
		case "ratio":
			p.text, p.size = c.ratio()
		case "interval":
			p.text = m[2]
			if c.sum != nil && !math.IsNaN(c.sum.lo) {
				p.text = number(c.measure, c.sum.lo) + " to " + number(c.measure, c.sum.hi)
			}
		case "ratio interval":
			if c.times != nil && !math.IsNaN(c.times.lo) {
				p.text = times(c.times.lo) + " to " + times(c.times.hi)
			}
		}
		if p.text == "" || p.text == "-" {
			if len(cells) > 1 {
				continue // a series may lack some points
			}
			return "", fmt.Errorf("the cell %q has no %s", c.Text, form)
		}
		if v, err := strconv.ParseFloat(p.text, 64); err == nil && math.IsNaN(p.size) {
			p.size = v
		}
		parts = append(parts, p)
	}
	if len(parts) == 0 {
		return "", fmt.Errorf("no cell has a %s", form)
	}
	if len(parts) == 1 {
		return parts[0].text, nil
	}
	for _, p := range parts {
		if math.IsNaN(p.size) {
			return "", fmt.Errorf("%d cells are chosen, and %q has no size: choose one", len(parts), p.text)
		}
	}
	slices.SortStableFunc(parts, func(a, b part) int {
		switch {
		case a.size < b.size:
			return -1
		case a.size > b.size:
			return 1
		}
		return 0
	})
	if least, most := parts[0].text, parts[len(parts)-1].text; least != most {
		return least + " to " + most, nil
	}
	return parts[0].text, nil
}
