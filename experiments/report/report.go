package report

import (
	"bytes"
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"queens/experiments/config"
	"queens/experiments/record"
	"queens/internal/param"
	"queens/internal/system"
)

// Dir is the folder of a record set's report, inside the set's folder.
const Dir = record.ReportDir

// Files is a report: content by path within its folder, with slashes.
type Files map[string][]byte

// Options say what a report has for papers.
type Options struct {
	Columns []string // of the tables for LaTeX; all if none is named
	PDF     bool     // whether each plot comes as PDF, too
}

// Build makes the report of a record set.
func Build(set record.Set, o Options) (Files, error) {
	d := newData(set)
	tables, figures, err := d.shown()
	if err != nil {
		return nil, err
	}
	standing := standingOf(set)
	answer := d.answer(tables, standing.doubt)
	for i, t := range tables {
		tables[i] = t.inOneUnit()
	}
	files, err := latex(tables, o.Columns)
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
	if files["report.md"], err = filled("report.md.tmpl", p); err != nil {
		return nil, err
	}
	// No part of it is markup but what the template has.
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
		fs, ts, err := d.figures(a)
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

// tablesOf makes some tables, but those that no record meets.
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
		tables = append(tables, part.tables(a)...)
	}
	return tables, nil
}

// fingerprints lists the record set's columns, each with the hash of its cells, and the
// configuration with its hash.
func (d *data) fingerprints() [][]string {
	type identified struct {
		id string
		record.Row
	}
	byID := make([]identified, len(d.set.Rows))
	for i, r := range d.set.Rows {
		byID[i] = identified{r.ID(), r}
	}
	slices.SortFunc(byID, func(a, b identified) int { return strings.Compare(a.id, b.id) })
	var rows [][]string
	var cells bytes.Buffer
	for _, c := range d.set.Columns {
		cells.Reset()
		for _, r := range byID {
			cells.WriteString(r.Cell(c.Name))
			cells.WriteByte('\n')
		}
		rows = append(rows, []string{c.Name, string(c.Role), param.Digest(cells.Bytes())})
	}
	return append(rows, []string{record.ConfigFile, "configuration", d.set.Spec.Hash()})
}

// agreement says how many answers were checked, and how.
func (d *data) agreement() string {
	verdicts := map[string]int{}
	var by []string
	for _, r := range d.set.Rows {
		verdicts[r.Cell("agree")]++
		by = append(by, strings.FieldsFunc(r.Cell("checked_by"), func(c rune) bool { return c == ';' })...)
	}
	checked := verdicts["yes"] + verdicts["no"]
	if checked == 0 {
		return "No answer was compared with anything."
	}
	slices.Sort(by)
	return fmt.Sprintf("%d answers were compared with others (%s); %d disagreed.", checked,
		strings.Join(slices.Compact(by), ", "), verdicts["no"])
}

// quiet says how busy the machine was, and whether other programs were at work: before nine runs in ten,
// or at the start if no run says. The harness's own run accounts for a load of 1.
func (d *data) quiet() (text string, busy bool) {
	busiest, cores := math.Inf(-1), math.Inf(1)
	for _, e := range d.set.Environments {
		if load, err := strconv.ParseFloat(e.Load, 64); err == nil {
			busiest = max(busiest, load)
		}
		cores = min(cores, float64(e.Cores))
	}
	judged, during := busiest, ""
	if loads := slices.Sorted(slices.Values(numbers(d.set.Rows, "load"))); len(loads) > 0 {
		judged = loads[(len(loads)-1)*9/10]
		busiest = max(busiest, judged)
		during = fmt.Sprintf(", and at most %g before nine runs in ten", judged)
	}
	switch {
	case math.IsInf(busiest, -1):
		return "It is not known how busy the machine was.", false
	case judged > cores:
		return fmt.Sprintf("The machine was busy: a load of up to %g on %g cores%s. "+
			"Times are meaningful only as ratios, if at all.", busiest, cores, during), true
	}
	return fmt.Sprintf("The machine was quiet: a load of %s at the start%s, on %g cores.",
		loadText(d.set.Environments[0]), during, cores), false
}

// maxLost bounds the list of runs that did not end well.
const maxLost = 50

func (d *data) lost() []string {
	var list []string
	rows := slices.DeleteFunc(slices.Clone(d.set.Rows), func(r record.Row) bool { return r.Outcome() == record.OK })
	for _, p := range d.group(rows, append(slices.Clone(d.varied), "outcome")) {
		r := p.records[0]
		list = append(list, fmt.Sprintf("%s, %d runs %s: %s", described(r, d.varied), len(p.records), r.Cell("outcome"),
			r.Cell("reason")))
	}
	if more := len(list) - maxLost; more > 0 {
		list = append(list[:maxLost], fmt.Sprintf("and %d more points", more))
	}
	return list
}

func environmentText(e record.Environment) string {
	revision := e.Revision
	if e.Modified == "true" {
		revision += " (modified)"
	}
	return fmt.Sprintf("%s: %s, %d cores, %s, %s, %s, revision %s, started %s with a load of %s", e.ID, e.CPU,
		e.Cores, number("_bytes", float64(e.MemoryBytes)), e.OS, e.GoVersion, revision, e.Started, loadText(e))
}

// loadText returns the load of the machine, which older records do not have.
func loadText(e record.Environment) string { return cmp.Or(e.Load, "unknown") }

//go:embed page.html report.md.tmpl table.tex.tmpl
var templates embed.FS

// filled fills in a template of plain text.
func filled(name string, with any) ([]byte, error) {
	functions := template.FuncMap{"tex": latexText, "environment": environmentText}
	var b bytes.Buffer
	source, err := template.New(name).Delims("<<", ">>").Funcs(functions).ParseFS(templates, name)
	if err == nil {
		err = source.Execute(&b, with)
	}
	if err != nil {
		return nil, fmt.Errorf("the report's %s: %w", name, err)
	}
	return b.Bytes(), nil
}

// Write writes the files. Other files in the folder stay, since they may be someone's work;
// Check names those that an older report may have left.
func (f Files) Write(dir string) error {
	for _, name := range f.names() {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return fmt.Errorf("making folder for a report: %w", err)
		}
		if err := system.WriteFile(file, f[name], 0o644); err != nil {
			return fmt.Errorf("writing report: %w", err)
		}
	}
	return nil
}

// Committed reports whether a file of a report is kept in the repository, where it is read on
// the web: the text and its pictures. The others are made from the records when needed.
func Committed(name string) bool { return name == "report.md" || filepath.Ext(name) == ".svg" }

// Check lists the differences between the files and the folder. Files that are not committed
// may be missing.
func (f Files) Check(dir string) []string {
	var differences []string
	for _, name := range f.names() {
		switch data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name))); {
		case err != nil && !Committed(name) && errors.Is(err, fs.ErrNotExist):
		case err != nil:
			differences = append(differences, name+" is missing")
		case !bytes.Equal(data, f[name]):
			differences = append(differences, name+" does not follow from the records")
		}
	}
	// A missing folder is reported by its missing files.
	_ = fs.WalkDir(os.DirFS(dir), ".", func(name string, e fs.DirEntry, err error) error {
		if _, ours := f[name]; err == nil && !ours && !e.IsDir() {
			differences = append(differences, name+" is not part of this report: remove it")
		}
		return nil
	})
	return differences
}

func (f Files) names() []string { return slices.Sorted(maps.Keys(f)) }
