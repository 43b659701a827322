package report

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"queens/experiments/config"
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
// and the largest value or ratio are quoted. Show quotes the chosen part of a table in Markdown. Best
// counts the lines in which a column has the smallest number, Finished those in which it has any, and
// Worst quotes the largest multiple of the smallest that it has. Numbers shows what Show does, without
// intervals and comparisons.
//
// A folder "again" in a set's folder has further measurements of the set, or of a part of it, each a
// record set. All makes one table of all measurements, so that $times.All.Value quotes the smallest
// and the largest of them, and Spread shows the chosen part of a table with these behind each
// number. {{measured "valid-cells"}} says when each was made, and with which revision.
//
//	{{quoted "knuth2009" "2,453"}}
//
// marks a figure that somebody else has published, by its key in the references.
type Documents struct {
	root  string
	read  func(dir string) (record.Set, error)
	known map[string]measurements
	// Doubts lists the tables with wall-clock times, of sets measured on a busy machine, that
	// documents have quoted since it was last emptied.
	Doubts []string
}

// NewDocuments returns Documents that quote the sets in a folder.
func NewDocuments(root string, read func(dir string) (record.Set, error)) *Documents {
	return &Documents{root: root, read: read, known: map[string]measurements{}}
}

// measurements are a set and its further measurements.
type measurements struct {
	tables map[string]Quoted // by title
	titles []string
	made   []string
	busy   bool // whether the machine was, at the first of them
}

// Fill makes a document from its template. An error begins with the place in the template, as
// name:line:column.
func (d *Documents) Fill(name string, source []byte) ([]byte, error) {
	functions := template.FuncMap{"table": d.table, "measured": d.measured,
		"quoted": func(_, text string) string { return text }}
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

func (d *Documents) measurements(name string) (measurements, error) {
	if m, ok := d.known[name]; ok {
		return m, nil
	}
	m := measurements{tables: map[string]Quoted{}}
	first := filepath.Join(d.root, name)
	again, err := filepath.Glob(filepath.Join(first, "again", "*"))
	if err != nil {
		return m, err
	}
	var asked config.Presentation
	for i, dir := range append([]string{first}, again...) {
		set, err := d.read(dir)
		if err != nil {
			return m, err
		}
		if i == 0 {
			asked = set.Spec.Report
		}
		set.Spec.Report = asked
		data := newData(set)
		tables, _, err := data.shown()
		if err != nil {
			return m, fmt.Errorf("%s: %w", dir, err)
		}
		for _, t := range tables {
			q, known := m.tables[t.Title]
			switch {
			case known:
				q.again = append(q.again, t)
			case i == 0:
				q.table, m.titles = t, append(m.titles, t.Title)
			default:
				continue
			}
			m.tables[t.Title] = q
		}
		if i == 0 {
			_, m.busy = data.quiet()
		}
		for _, e := range set.Environments[:min(1, len(set.Environments))] {
			m.made = append(m.made, fmt.Sprintf("%.10s at %.8s", e.Started, e.Revision))
		}
	}
	d.known[name] = m
	return m, nil
}

// measured lists when a set was measured, and with which revision.
func (d *Documents) measured(name string) (string, error) {
	m, err := d.measurements(name)
	return strings.Join(m.made, ", "), err
}

func (d *Documents) table(name, title string) (Quoted, error) {
	m, err := d.measurements(name)
	if err != nil {
		return Quoted{}, err
	}
	q, known := m.tables[title]
	if !known {
		return q, fmt.Errorf("no table %q in %s: expected one of %s", title, name, strings.Join(m.titles, "; "))
	}
	if m.busy && q.table.timed() {
		d.Doubts = append(d.Doubts, fmt.Sprintf("%q of %s", title, name))
	}
	return q, nil
}

// timed reports whether the table has wall-clock times.
func (t table) timed() bool {
	return slices.ContainsFunc(slices.Concat(t.Rows...), func(c cell) bool {
		return unit(c.measure) == "s" && !strings.HasSuffix(c.measure, "_cpu_seconds")
	})
}

// Quoted is a table that a document quotes. Its methods are described at [Documents].
type Quoted struct {
	table table
	again []table // the same of further measurements
}

// All returns the lines of all measurements as one table.
func (q Quoted) All() Quoted {
	all := q.table
	all.Rows = slices.Clone(all.Rows)
	for _, t := range q.again {
		for _, r := range t.Rows {
			row := make([]cell, len(all.Header))
			for to, name := range all.Header {
				if from := slices.Index(t.Header, name); from >= 0 {
					row[to] = r[from]
				}
			}
			all.Rows = append(all.Rows, row)
		}
	}
	return Quoted{table: all}
}

// Spread returns what Show does, with the smallest and the largest of all measurements behind each
// number that was measured again: "430 (370 to 520); 410 to 460".
func (q Quoted) Spread(asked ...string) (string, error) {
	all := q.All().table
	return q.show(asked, func(line []cell, column int, c cell) string {
		var list []quoted
		for _, other := range all.Rows {
			if slices.EqualFunc(line[:all.names], other[:all.names], func(a, b cell) bool { return a.value == b.value }) {
				list = append(list, value(other[column]))
			}
		}
		if text, err := extent(list); err == nil && text != "" && text != c.value {
			return c.Text() + "; " + text
		}
		return c.Text()
	})
}

// Value quotes the number of a cell, or the range of several.
func (q Quoted) Value(asked ...string) (string, error) {
	return q.cells(asked, "value", value)
}

// Cell quotes a cell as it stands in the table.
func (q Quoted) Cell(asked ...string) (string, error) {
	return q.cells(asked, "text", func(c cell) quoted { return quoted{c.Text(), c.size()} })
}

// Ratio quotes the ratio of a cell to the first column, or the range of several. A ~ stands before
// one where the samples show no significant difference.
func (q Quoted) Ratio(asked ...string) (string, error) {
	return q.cells(asked, "ratio", func(c cell) quoted {
		if c.times == nil || math.IsNaN(c.times.center) || math.IsInf(c.times.center, 0) {
			return quoted{}
		}
		text := times(c.times.center)
		switch {
		case c.times.above:
			text = "more than " + text
		case !c.times.differs && !c.times.exact:
			text = "~" + text
		}
		return quoted{text, c.times.center}
	})
}

// Interval quotes the interval of a cell's number.
func (q Quoted) Interval(asked ...string) (string, error) {
	return q.cells(asked, "interval", func(c cell) quoted { return quoted{c.interval, math.NaN()} })
}

// RatioInterval quotes the interval of a cell's ratio to the first column.
func (q Quoted) RatioInterval(asked ...string) (string, error) {
	return q.cells(asked, "interval of a ratio", func(c cell) quoted {
		if c.times == nil {
			return quoted{}
		}
		return quoted{c.times.interval(times), math.NaN()}
	})
}

// Show returns the table in Markdown: the chosen lines, with the columns that identify them and
// those that are chosen, or all.
func (q Quoted) Show(asked ...string) (string, error) {
	return q.show(asked, func(_ []cell, _ int, c cell) string { return c.Text() })
}

// Numbers returns what Show does, without intervals and comparisons.
func (q Quoted) Numbers(asked ...string) (string, error) {
	return q.show(asked, func(_ []cell, _ int, c cell) string { return cmp.Or(c.value, c.lost) })
}

// show returns the chosen part of the table, with a text for each cell, given its line and column.
func (q Quoted) show(asked []string, text func(line []cell, column int, c cell) string) (string, error) {
	rows, wanted, err := q.lines(asked)
	if err != nil {
		return "", err
	}
	chosen := q.table
	chosen.Rows = nil
	for _, r := range rows {
		row := slices.Clone(r)
		for at := chosen.names; at < len(r); at++ {
			row[at] = word(text(r, at, r[at]))
		}
		chosen.Rows = append(chosen.Rows, row)
	}
	return chosen.only(wanted).Markdown(), nil
}

// Best counts the lines in which a column has the smallest number, as in "3 of 12".
func (q Quoted) Best(asked ...string) (string, error) {
	return q.count(asked, func(times float64) bool { return times == 1 })
}

// Finished counts the lines in which a column has a number.
func (q Quoted) Finished(asked ...string) (string, error) {
	return q.count(asked, func(times float64) bool { return !math.IsNaN(times) })
}

func (q Quoted) count(asked []string, which func(times float64) bool) (string, error) {
	list, err := q.timesBest(asked)
	n := len(slices.DeleteFunc(slices.Clone(list), func(times float64) bool { return !which(times) }))
	return fmt.Sprintf("%d of %d", n, len(list)), err
}

// Worst quotes the largest multiple of the smallest number of a line that a column has.
func (q Quoted) Worst(asked ...string) (string, error) {
	list, err := q.timesBest(asked)
	worst := 1.0
	for _, v := range list {
		if v > worst {
			worst = v
		}
	}
	return times(worst), err
}

// timesBest divides a column's number in each line by the smallest of the line; it is NaN where the
// column has none.
func (q Quoted) timesBest(asked []string) (list []float64, err error) {
	rows, columns, err := q.lines(asked)
	if err == nil && len(columns) != 1 {
		err = fmt.Errorf("%q: expected one column, not %d", q.table.Title, len(columns))
	}
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		own, least := math.NaN(), math.Inf(1)
		for at, c := range r {
			if c.number == nil || strings.HasPrefix(c.value, ">") {
				continue
			}
			least = min(least, c.number.center)
			if q.table.Header[at] == columns[0] {
				own = c.number.center
			}
		}
		list = append(list, own/least)
	}
	return list, nil
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
			func(r []cell) bool { return !slices.Contains(strings.Split(values, ", "), r[at].value) })
	}
	if len(rows) == 0 {
		return nil, nil, fmt.Errorf("no line of %q meets the conditions %s", q.table.Title, strings.Join(asked, ", "))
	}
	return rows, columns, nil
}

// quoted is what is quoted of a cell, with its size, NaN where that is unknown.
type quoted struct {
	text string
	size float64
}

func value(c cell) quoted { return quoted{c.value, c.size()} }

// cells quotes one cell, or the smallest and the largest of several.
func (q Quoted) cells(asked []string, what string, quote func(cell) quoted) (string, error) {
	rows, columns, err := q.lines(asked)
	if err != nil {
		return "", err
	}
	var list []quoted
	for _, r := range rows {
		for at, c := range r {
			if slices.Contains(columns, q.table.Header[at]) || c.number != nil && slices.Contains(columns, "*") {
				list = append(list, quote(c))
			}
		}
	}
	text, err := extent(list)
	switch {
	case err != nil:
		return "", fmt.Errorf("%q: %w", q.table.Title, err)
	case text == "":
		return "", fmt.Errorf("%q has no %s at %s", q.table.Title, what, strings.Join(asked, ", "))
	}
	return text, nil
}

// extent returns the smallest and the largest of what is quoted of several cells. Cells that have
// nothing to quote are left out, since a series may lack some points; it is empty if all do.
func extent(list []quoted) (string, error) {
	list = slices.DeleteFunc(list, func(q quoted) bool { return q.text == "" || q.text == "-" || q.text == notKnown })
	if len(list) == 0 {
		return "", nil
	}
	if len(list) > 1 && slices.ContainsFunc(list, func(q quoted) bool { return math.IsNaN(q.size) }) {
		return "", fmt.Errorf("%d cells are chosen, and their sizes cannot be compared: choose one", len(list))
	}
	size := func(a, b quoted) int { return cmp.Compare(a.size, b.size) }
	least, most := slices.MinFunc(list, size), slices.MaxFunc(list, size)
	if least.text == most.text {
		return least.text, nil
	}
	return least.text + " to " + most.text, nil
}
