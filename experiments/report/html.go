package report

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"queens/experiments/record"
)

//go:embed page.html
var pageSource string

// page is what the template shows.
type page struct {
	Name, Question, Summary, Fixed, Agreement string
	Lost                                      []string
	Figures                                   []pageFigure
	Tables                                    []pageTable
	Records                                   pageTable
	Environments                              []record.Environment
	Config                                    string
}

type pageFigure struct {
	ID, Title string
	SVG       template.HTML
	Notes     []string
}

type pageTable struct {
	ID, Title string
	Header    []string
	Rows      [][]pageCell
	Notes     []string
}

// pageCell is a text and its sort key.
type pageCell struct{ Text, Key string }

// html returns the whole report as one page, which needs no other file and no network.
func (d *data) html(tables []table, figures []*figure, files Files) ([]byte, error) {
	config, err := d.set.Spec.YAML()
	if err != nil {
		return nil, err
	}
	p := page{
		Name: d.set.Spec.Name, Question: strings.TrimSpace(d.set.Spec.Question),
		Summary: fmt.Sprintf("%d records: %s.", len(d.set.Rows), outcomeText(record.Tally(d.set.Rows))),
		Fixed:   d.fixedText(), Agreement: d.agreement(), Lost: d.lost(),
		Environments: d.set.Environments, Config: string(config), Records: d.recordTable(),
	}
	for _, f := range figures {
		svg := string(files[f.name+".svg"])
		if i := strings.Index(svg, "<svg"); i >= 0 { // without the XML header
			svg = svg[i:]
		}
		p.Figures = append(p.Figures, pageFigure{f.name, f.title, template.HTML(svg), f.notes})
	}
	for _, t := range tables {
		pt := pageTable{ID: t.name, Title: t.title, Header: t.header, Notes: t.notes}
		for _, r := range t.rows {
			var row []pageCell
			for _, c := range r {
				key := c.text
				if c.sum != nil {
					key = float(c.sum.center)
				}
				row = append(row, pageCell{c.text, key})
			}
			pt.Rows = append(pt.Rows, row)
		}
		p.Tables = append(p.Tables, pt)
	}
	source, err := template.New("page").Parse(pageSource)
	if err != nil {
		return nil, fmt.Errorf("the report's page: %w", err)
	}
	var b bytes.Buffer
	if err := source.Execute(&b, p); err != nil {
		return nil, fmt.Errorf("the report's page: %w", err)
	}
	return b.Bytes(), nil
}

// recordTable returns a table of all records, without lists and without columns that are the
// same in all records.
func (d *data) recordTable() pageTable {
	t := pageTable{ID: "records", Title: "Records"}
	var columns []string
	for _, c := range slices.Concat(d.varied, []string{repeatColumn, "outcome", "reason", "agree"},
		d.numeric(d.results), d.numeric(d.measurements)) {
		if slices.Contains(d.varied, c) || !d.constant(c) {
			columns = append(columns, c)
		}
	}
	t.Header = columns
	for _, p := range d.group(d.set.Rows, d.parameters) {
		for _, r := range p.records {
			var row []pageCell
			for _, c := range columns {
				text := r[c]
				if v, ok := r.Number(c); ok && unit(c) != "" {
					text = number(c, v)
				}
				row = append(row, pageCell{text, r[c]})
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}
