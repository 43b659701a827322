package report

import (
	"bytes"
	"errors"
	"fmt"
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
// 12", or "n = largest": where the columns have numbers), and the other arguments columns; the column * stands for all measured ones. A cell is
// quoted by its number (Value), by its ratio to the first column (Ratio), by the interval of
// that (RatioInterval), or as a whole (Cell). If several cells are chosen, the smallest
// and the largest value or ratio are quoted. Show quotes the chosen part of a table in Markdown. Best
// counts the lines in which a column has the smallest number, Finished those in which it has any, and
// Worst quotes the largest multiple of the smallest that it has. Numbers shows what Show does, without
// intervals and comparisons.
//
// A folder "again" in a set's folder has further measurements of the set, or of a part of it, each a
// record set. All makes one table of all measurements, so that $times.All.Value quotes the smallest
// and the largest of them. {{measured "valid-cells"}} says when each was made, and with which revision.
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
	again, err := filepath.Glob(filepath.Join(first, record.AgainDir, "*"))
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
