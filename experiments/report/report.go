package report

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/jedib0t/go-pretty/v6/text"

	"queens/experiments/config"
	"queens/experiments/record"
)

// Dir is the folder of a record set's report, inside the set's folder.
const Dir = record.ReportDir

// Options say what a report has for papers.
type Options struct {
	Columns []string // of the tables for LaTeX; all if none is named
	PDF     bool     // whether each plot comes as PDF, too

	Coverage *record.Coverage // of the set; nil: Build finds it, which makes the whole grid
}

// Build makes the report of a record set.
func Build(set record.Set, o Options) (Files, error) {
	d := shownData(set)
	tables, figures, err := d.shown()
	if err != nil {
		return nil, err
	}
	standing := standingOf(set, o.Coverage)
	answer := d.answer(tables, standing.doubt)
	for i, t := range tables {
		tables[i] = t.inOneUnit()
	}
	files, err := latex(set.Spec.Name, tables, o.Columns)
	if err != nil {
		return nil, err
	}
	for _, t := range tables {
		files[t.path("csv")] = t.csv()
	}
	for _, f := range figures {
		if f.svg, err = f.asSVG(); err != nil {
			return nil, err
		}
		files[f.path("svg")] = f.svg
		if f.PDF = o.PDF; !o.PDF {
			continue
		}
		if files[f.path("pdf")], err = f.asPDF(); err != nil {
			return nil, err
		}
	}
	p, err := d.page(standing.count, answer, tables, figures)
	if err != nil {
		return nil, err
	}
	p.Columns = markdownTable([]string{"column", "role", "hash"}, fingerprints(set), text.AlignLeft)
	if files["report.md"], err = filled("report.md.tmpl", p); err != nil {
		return nil, err
	}
	// Escape HTML: the report's only markup is that of the template.
	files["report.md"] = bytes.ReplaceAll(files["report.md"], []byte("<"), []byte("&lt;"))
	files["index.html"], err = p.html()
	return files, err
}

// shown makes the tables and plots that the presentation asks for.
func (d *data) shown() (tables []table, figures []*figure, err error) {
	if len(d.set.Rows) == 0 {
		return nil, nil, nil
	}
	d.left = nil
	asked := d.presentation()
	if tables, err = d.tablesOf(asked.Tables); err != nil {
		return nil, nil, err
	}
	for _, a := range asked.Plots {
		fs, ts, err := d.plotted(a)
		if d.leftOut("plot", a.Title, err) {
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		tables, figures = append(tables, ts...), append(figures, fs...)
	}
	dress(figures)
	return tables, figures, nil
}

// tablesOf makes the tables asked for, except those whose conditions no record meets.
func (d *data) tablesOf(asked []config.Table) (tables []table, err error) {
	for _, a := range asked {
		part, err := d.where(a.Where)
		if err == nil {
			err = part.pooled(slices.Concat(a.Rows, a.Columns), a.Values)
		}
		if d.leftOut("table", a.Title, err) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("table %q: %w", a.Title, err)
		}
		made, left := part.tables(a), d.others(part, a.Columns, a.Where)
		for i := range made {
			made[i].Notes = append(made[i].Notes, left.note()...)
		}
		tables = append(tables, made...)
	}
	return tables, nil
}
