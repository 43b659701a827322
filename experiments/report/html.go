package report

import (
	"bytes"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"queens/experiments/record"
)

// page is the content of a report, as text or as a page.
type page struct {
	Refuted                                                  []string // answers that others refute or contradict
	Name, Question, Answer, Summary, Fixed, Agreement, Quiet string
	Chance, Lost, Left                                       []string    // what comparisons leave open; failed runs; parts without records
	Main, Figures                                            []*figure   // the first two; the others
	Pairs                                                    [][]*figure // the others, two in a row
	Tables                                                   []table
	FoldPlots, FoldTables                                    bool // whether those that nobody asked for are folded
	Records                                                  table
	Environments                                             []record.Environment
	Columns                                                  string // their hashes, as a Markdown table
	Config                                                   string
}

func (d *data) page(count, answer string, tables []table, figures []*figure) (page, error) {
	config, err := d.set.Spec.YAML()
	quiet, _ := d.quiet()
	main := min(2, len(figures))
	asked := d.set.Spec.Report
	return page{
		FoldPlots: len(asked.Plots) == 0, FoldTables: len(asked.Tables) == 0 && len(tables) > summaryTables,
		Refuted: firstOf(record.Refuted(d.set.Rows, d.varied)),
		Name:    d.set.Spec.Name, Question: strings.TrimSpace(d.set.Spec.Question), Answer: answer,
		Summary: count + ": " + ended(d.set.Rows) + ".",
		Fixed:   d.fixedText(), Agreement: d.agreement(), Quiet: quiet, Chance: d.comparisons(tables), Lost: d.lost(), Left: d.left,
		Main: figures[:main], Figures: figures[main:], Pairs: slices.Collect(slices.Chunk(figures[main:], 2)), Tables: tables, Records: d.recordTable(), Environments: d.set.Environments,
		Config: string(config),
	}, err
}

// Unfolded returns the tables that are shown at once.
func (p page) Unfolded() []table {
	if p.FoldTables {
		return p.Tables[:summaryTables]
	}
	return p.Tables
}

// Folded returns the other tables.
func (p page) Folded() []table { return p.Tables[len(p.Unfolded()):] }

// html returns the whole report as one page that needs no other file and no network.
func (p page) html() ([]byte, error) {
	var b bytes.Buffer
	memory := func(e record.Environment) string { return number("_bytes", float64(e.MemoryBytes)) }
	source, err := template.New("page.html").Funcs(template.FuncMap{"memory": memory}).ParseFS(templates, "page.html")
	if err == nil {
		err = source.Execute(&b, p)
	}
	if err != nil {
		return nil, fmt.Errorf("the report's page: %w", err)
	}
	return b.Bytes(), nil
}

// shownRecords bounds the records on a page: a browser has trouble with more.
const shownRecords = 3000

// recordTable returns a table of the records, without lists and without columns that are the
// same in all records.
func (d *data) recordTable() table {
	var columns []string
	for _, c := range slices.Concat(d.varied, []string{repeatColumn, "outcome", "reason", "agree"},
		d.numeric(d.results), d.numeric(d.measurements)) {
		if slices.Contains(d.varied, c) || !d.settled(c) {
			columns = append(columns, c)
		}
	}
	t := table{part: part{Name: "records", Title: "Records"}, Header: columns}
	if all := len(d.set.Rows); all > shownRecords {
		t.Notes = []string{fmt.Sprintf("The first %d of %d: %s has them all.", shownRecords, all, record.RecordsFile)}
	}
	for _, p := range d.group(d.set.Rows, d.varied) {
		for _, r := range p.records {
			if len(t.Rows) == shownRecords {
				return t
			}
			row := make([]cell, len(columns))
			for i, c := range columns {
				row[i] = cell{value: r.Cell(c), Key: r.Cell(c)}
				if v, ok := r.Number(c); ok && unit(c) != "" {
					row[i].value = number(c, v)
				}
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}
