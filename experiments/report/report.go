package report

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/renameio/v2"

	"queens/experiments"
)

// Dir is the folder of a record set's report, inside the set's own.
const Dir = experiments.ReportDir

// Files is a report: content by file name.
type Files map[string][]byte

// Build makes the report of a record set. Titles that give one file's name are an
// error: those of a configuration are refused when it is loaded, but those made from
// the records are known only here.
func Build(set experiments.Set) (Files, error) {
	d := newData(set)
	files := Files{}
	claimed := experiments.NewReportFiles()
	var tables []table
	var figures []*figure
	if len(set.Records) > 0 {
		p := d.presentation()
		for _, spec := range p.Tables {
			tables = append(tables, d.tables(spec)...)
		}
		for _, spec := range p.Plots {
			if spec.Kind == experiments.BreakEven {
				tables = append(tables, d.breakEvenTable(spec))
			}
			f, err := d.figure(spec)
			if err != nil {
				return nil, err
			}
			if f != nil {
				figures = append(figures, f)
			}
		}
	}
	for _, t := range tables {
		if err := claimed.ClaimTable(t.title); err != nil {
			return nil, err
		}
		files[t.name+".csv"] = t.csv()
		files[t.name+".tex"] = t.latex()
	}
	for _, f := range figures {
		err := claimed.ClaimPlot(f.title)
		if err != nil {
			return nil, err
		}
		if files[f.name+".svg"], err = f.svg(); err != nil {
			return nil, err
		}
		if files[f.name+".pdf"], err = f.pdf(); err != nil {
			return nil, err
		}
	}
	files["report.md"] = d.markdown(tables, figures)
	files["values.tex"] = d.macros(tables)
	var err error
	files["index.html"], err = d.html(tables, figures, files)
	return files, err
}

// markdown is the report's text.
func (d *data) markdown(tables []table, figures []*figure) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n", d.set.Spec.Name)
	if q := d.set.Spec.Question; q != "" {
		fmt.Fprintf(&b, "%s\n\n", strings.TrimSpace(q))
	}
	fmt.Fprintf(&b, "%d records: %s.\n", len(d.set.Records), outcomeText(experiments.Tally(d.set.Records)))
	if fixed := d.fixedText(); fixed != "" {
		fmt.Fprintf(&b, "Everywhere: %s.\n", fixed)
	}
	fmt.Fprintf(&b, "%s\n\n", d.agreement())
	if lost := d.lost(); len(lost) > 0 {
		b.WriteString("Runs that did not end well:\n\n")
		for _, l := range lost {
			fmt.Fprintf(&b, "- %s\n", l)
		}
		b.WriteByte('\n')
	}
	for _, f := range figures {
		fmt.Fprintf(&b, "### %s\n\n![%s](%s.svg)\n\n", f.title, f.title, f.name)
		for _, n := range f.notes {
			fmt.Fprintf(&b, "%s\n", n)
		}
		if len(f.notes) > 0 {
			b.WriteByte('\n')
		}
	}
	for _, t := range tables {
		t.markdown(&b)
	}
	b.WriteString("## Environment\n\n")
	for _, e := range d.set.Environments {
		fmt.Fprintf(&b, "- %s\n", environmentText(e))
	}
	return []byte(b.String())
}

// agreement says how many answers were checked, and how.
func (d *data) agreement() string {
	checked, against := 0, 0
	var by []string
	for _, r := range d.set.Records {
		switch r["agree"] {
		case "yes":
			checked++
		case "no":
			checked++
			against++
		}
		for _, c := range strings.Split(r["checked_by"], ";") {
			if c != "" && !slices.Contains(by, c) {
				by = append(by, c)
			}
		}
	}
	slices.Sort(by)
	if checked == 0 {
		return "No answer was compared with anything."
	}
	return fmt.Sprintf("%d answers were compared with others (%s); %d disagreed.", checked, strings.Join(by, ", "), against)
}

// maxLost bounds the list of runs that did not end well.
const maxLost = 50

func (d *data) lost() []string {
	var list []string
	more := 0
	for _, p := range d.group(d.set.Records, append(slices.Clone(d.parameters), "outcome")) {
		r := p.records[0]
		if r.Outcome() == experiments.OK {
			continue
		}
		if len(list) == maxLost {
			more++
			continue
		}
		var params []string
		for _, name := range d.varied {
			params = append(params, name+" "+r[name])
		}
		list = append(list, fmt.Sprintf("%s, %d runs %s: %s", strings.Join(params, ", "), len(p.records), r["outcome"], r["reason"]))
	}
	if more > 0 {
		list = append(list, fmt.Sprintf("and %d more points", more))
	}
	return list
}

func environmentText(e experiments.Environment) string {
	revision := e.Revision
	if e.Modified == "true" {
		revision += " (modified)"
	}
	return fmt.Sprintf("%s: %s, %d cores, %s, %s, %s, revision %s, started %s with a load of %s", e.ID, e.CPU, e.Cores, number("_bytes", float64(e.MemoryBytes)), e.OS, e.GoVersion, revision, e.Started, loadText(e))
}

// loadText is how busy the machine was; older records do not say.
func loadText(e experiments.Environment) string {
	if e.Load == "" {
		return "unknown"
	}
	return e.Load
}

// Write writes the files. Others in the folder stay: they may be someone's work;
// Check names those that an older report may have left.
func (f Files) Write(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("making folder for a report: %w", err)
	}
	for _, name := range f.names() {
		if err := renameio.WriteFile(filepath.Join(dir, name), f[name], 0o644); err != nil {
			return fmt.Errorf("writing report: %w", err)
		}
	}
	return nil
}

// Check lists the differences between the files and the folder.
func (f Files) Check(dir string) []string {
	var differences []string
	for _, name := range f.names() {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			differences = append(differences, name+" is missing")
		} else if !bytes.Equal(data, f[name]) {
			differences = append(differences, name+" is not what the records give")
		}
	}
	entries, _ := os.ReadDir(dir) // a missing folder is missing files
	for _, e := range entries {
		if _, ours := f[e.Name()]; !ours {
			differences = append(differences, e.Name()+" is not of this report: remove it")
		}
	}
	return differences
}

func (f Files) names() []string {
	var names []string
	for name := range f {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
