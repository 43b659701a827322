package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/spf13/cobra"

	"queens/experiments/report"
	"queens/internal/param"
	"queens/internal/system"
)

// mostTemplate is the largest size of a template and of a document, in bytes.
const mostTemplate = 16 << 20

// docsFlags are the flags of docs.
type docsFlags struct {
	out, records string // folders
	check        bool   // write nothing
}

func newDocs() *cobra.Command {
	var o docsFlags
	cmd := &cobra.Command{
		Use:   "docs TEMPLATE...",
		Short: "Fill numbers and tables of record sets into documents",
		Long: `Fill numbers and tables of record sets into documents. A template is text in any form, such
as Markdown or LaTeX. What stands between double braces looks something up, and does nothing else:

  {{$t := table "valid-cells" "Time of a query" -}}
  With eight queens it takes {{$t.Value "n = 8" "sat pack"}}.

table names a table of a set's report, by the set's folder and the table's title. Conditions choose
lines ("n = 8, 12"; "n = largest" is the last one for which the columns have numbers), and each value
that a condition lists must occur in some line. Names choose columns; * stands for all of them.

The methods of a table:

` + methods() + `
Nothing is quoted from a set that misses runs or has wrong answers. Wall-clock times of a busy machine are quoted
with a note on standard error. Each document is written into a folder under its template's name.

A claim has a verdict:

  {{claim "Row by row is close to the best order known." ($t.Ratios "0.9 to 1" "n = 12" "best-bdd")}}

Ratios, Values and Lines take bounds ("< 1", "> 2", "= 4", "0.5 to 2"). A claim holds if the whole 95% interval of every cell is within the bounds, and does not hold if
the whole interval of one is outside. Otherwise it is not decided, as where runs are missing. The exit code is 1 if a claim does not hold,
and 4 if a set that claims name has wrong answers.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, templates []string) error { return o.fill(consoleOf(cmd), templates) },
	}
	cmd.Flags().StringVar(&o.out, "out", ".", "folder of the documents, or - for standard output")
	cmd.Flags().StringVar(&o.records, "records", "results/reference", "folder of the record sets")
	cmd.Flags().BoolVar(&o.check, "check", false, "write nothing; fail if a document on disk differs")
	return cmd
}

// methods lists the methods by which a template quotes a table, each as its comment describes it.
func methods() string {
	var b strings.Builder
	of := reflect.TypeFor[report.Quoted]()
	for m := range of.Methods() {
		text := param.Comments()[of.PkgPath()+"."+of.Name()+"."+m.Name]
		fmt.Fprintf(&b, "%s\n", cmp.Or(text, m.Name+" has no comment here: run make generate."))
	}
	return b.String()
}

// fill fills all templates, and says how their claims and their record sets fare.
func (o *docsFlags) fill(c console, templates []string) error {
	documents := report.NewDocuments(o.records, readSet)
	stale := 0
	for _, name := range templates {
		source, name, err := system.ReadInput(name, mostTemplate)
		if err != nil {
			return invalid("reading a template: %w", err)
		}
		if name == system.StandardInput && o.out != "-" {
			return invalid("flag --out %s: a document from standard input has no name: expected -", o.out)
		}
		filled, err := documents.Fill(name, source)
		if err != nil {
			return exit(badInput, err)
		}
		for _, doubt := range documents.Doubts {
			fmt.Fprintf(c.err, "harness: note: %s quotes times measured on a busy machine: %s\n", name, doubt)
		}
		documents.Doubts = nil
		current, err := o.put(c, name, filled)
		if err != nil {
			return err
		}
		if !current {
			stale++
		}
	}
	switch {
	case len(documents.Wrong) > 0:
		return exit(wrongAnswer, fmt.Errorf("record sets of %s have wrong answers: %s", o.records, strings.Join(documents.Wrong, ", ")))
	case documents.Worst == report.Fails:
		return exit(1, fmt.Errorf("a claim does not hold in %s", o.records))
	case stale > 0:
		return exit(1, errors.New("documents on disk do not match their templates: harness docs rebuilds them"))
	}
	return nil
}

// put writes a template's document, unless it is on disk already. With --check it writes nothing; current is false
// if the document on disk is another.
func (o *docsFlags) put(c console, template string, filled []byte) (current bool, err error) {
	if o.out == "-" {
		_, err = c.out.Write(filled)
		return true, err
	}
	target := filepath.Join(o.out, filepath.Base(template))
	if isSameFile(template, target) {
		return false, invalid("flag --out %s: the document would replace its template %s", o.out, template)
	}
	switch old, err := system.ReadFile(target, mostTemplate); {
	case err == nil && bytes.Equal(old, filled):
		return true, nil
	case o.check:
		fmt.Fprintf(c.err, "%s does not follow from %s and the records\n", target, template)
		return false, nil
	}
	if err = os.MkdirAll(o.out, 0o755); err == nil {
		err = system.WriteFile(target, filled, 0o644)
	}
	if err != nil {
		return false, invalid("writing a document: %w", err)
	}
	fmt.Fprintln(c.out, target)
	return true, nil
}

func isSameFile(a, b string) bool {
	one, err := os.Stat(a)
	two, missing := os.Stat(b)
	return err == nil && missing == nil && os.SameFile(one, two)
}
