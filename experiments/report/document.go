package report

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"queens/experiments/record"
)

// Documents makes documents from templates that quote record sets. A template is text: Markdown, LaTeX or any
// other form. Text between double braces looks something up:
//
//	{{$times := table "valid-cells" "Time of a query" -}}
//	With eight queens it takes {{$times.Value "n = 8" "sat pack"}}.
//
// The first line names a table of a set's report, and the second quotes one of its cells. Conditions choose
// lines: "n = 8, 12", or "n = largest" for the largest n at which the columns have numbers. Each value that a
// condition lists must occur in a line. Other arguments choose columns; * stands for all measured ones. If several cells
// are chosen, the smallest and the largest are quoted. The methods of a table are those of [Quoted]; harness docs --help
// lists their comments.
//
// {{quoted "knuth2009" "2,453"}} marks a figure that someone else has published, with its key in the
// references. Nothing is quoted from a set that misses runs of its configuration, or has wrong answers.
type Documents struct {
	root  string
	read  func(dir string) (record.Set, error)
	known map[string]quotable
	// Doubts lists the tables with wall-clock times, of sets measured on a busy machine, that
	// documents have quoted since it was last emptied.
	Doubts []string
	// Worst is the worst verdict on a claim.
	Worst Verdict
	// Wrong lists the sets with wrong answers that documents name.
	Wrong []string

	document string                               // that is filled in
	quotes   func(set string, m quotable, c cell) // is told each chosen cell, if not nil: a test compares them
}

// NewDocuments returns Documents that quote the sets in a folder.
func NewDocuments(root string, read func(dir string) (record.Set, error)) *Documents {
	return &Documents{root: root, read: read, known: map[string]quotable{}}
}

// quotable holds what documents quote from a set.
type quotable struct {
	tables                 map[string]Quoted // by title
	titles                 []string
	parameters, processors []string
	busy                   bool // whether the machine was busy
	wrong                  bool // whether the set has a wrong answer
}

// Fill makes a document from its template. An error begins with the place in the template, as
// name:line:column.
func (d *Documents) Fill(name string, source []byte) ([]byte, error) {
	d.document = filepath.Base(name)
	filled, err := sentence(name, string(source), template.FuncMap{"table": d.table, "claim": d.claim,
		"quoted": func(_, text string) string { return text }}, maxDocument)
	return []byte(filled), err
}

func (d *Documents) quotable(name string) (quotable, error) {
	if m, ok := d.known[name]; ok {
		return m, nil
	}
	dir := filepath.Join(d.root, name)
	set, err := d.read(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return quotable{}, fmt.Errorf("no record set in %s: make it first, with harness run or make core", dir)
	}
	if err != nil {
		return quotable{}, err
	}
	data, tally := shownData(set), record.Tally(set.Rows)
	tables, _, err := data.shown()
	if err != nil {
		return quotable{}, fmt.Errorf("%s: %w", dir, err)
	}
	if unknown := set.Unversioned(); len(unknown) > 0 {
		return quotable{}, fmt.Errorf("%s: env.json has no version of %s: say it in the configuration", dir, strings.Join(unknown, ", "))
	}
	refuted, _ := record.RefutedRuns(set.Rows)
	m := quotable{tables: map[string]Quoted{}, parameters: data.parameters, wrong: refuted > 0}
	_, m.busy = data.quiet()
	doubt := standingOf(set, nil).doubt
	for _, t := range tables {
		m.titles = append(m.titles, t.Title)
		m.tables[t.Title] = Quoted{table: t, doubt: doubt, lost: len(set.Rows) - tally[record.OK]}
	}
	for _, e := range set.Environments {
		m.processors = append(m.processors, e.CPU)
	}
	d.known[name] = m
	return m, nil
}

func (d *Documents) table(name, title string) (Quoted, error) {
	m, err := d.quotable(name)
	if err != nil {
		return Quoted{}, err
	}
	q, known := m.tables[title]
	if !known {
		return q, fmt.Errorf("no table %q in %s: expected one of %s", title, name, strings.Join(m.titles, "; "))
	}
	if m.wrong && !slices.Contains(d.Wrong, name) {
		d.Wrong = append(d.Wrong, name)
	}
	if m.busy && q.table.timed() {
		d.Doubts = append(d.Doubts, fmt.Sprintf("%q of %s", title, name))
	}
	if d.quotes != nil {
		q.mention = func(c cell) { d.quotes(name, m, c) }
	}
	return q, nil
}

// timed reports whether the table has wall-clock times.
func (t table) timed() bool {
	return slices.ContainsFunc(slices.Concat(t.Rows...), func(c cell) bool {
		return unit(c.measure) == "s" && !strings.HasSuffix(c.measure, "_cpu_seconds")
	})
}

// claim returns a line with the verdict on a claim, the worst among the tables, and what they show. It
// remembers the worst verdict of all claims in Worst.
func (d *Documents) claim(text string, shown ...Shown) (string, error) {
	if len(shown) == 0 {
		return "", fmt.Errorf("claim %q: expected what shows it", text)
	}
	verdict := Holds
	var seen []string
	for _, s := range shown {
		verdict = max(verdict, s.verdict)
		seen = append(seen, s.text)
	}
	d.Worst = max(d.Worst, verdict)
	return fmt.Sprintf("- **%s**: %s (%s)", verdict, text, strings.Join(seen, "; ")), nil
}
