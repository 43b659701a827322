package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"queens/experiments/report"
	"queens/internal/system"
)

func newDocs() *cobra.Command {
	var (
		out, records string
		check        bool
	)
	cmd := &cobra.Command{
		Use:   "docs TEMPLATE...",
		Short: "Fill numbers and tables of record sets into documents",
		Long: `Fill numbers and tables of record sets into documents. A template is text in any form, such
as Markdown or LaTeX, in the language of Go's text/template:

  {{$t := table "valid-cells" "Time of a query" -}}
  With eight queens it takes {{$t.Value "n = 8" "sat pack"}}.

names a table of a set's report, by the set's folder and the table's title, and quotes a cell:
its Value, Ratio to the first column, RatioInterval, or the whole Cell. Conditions choose
lines (n = largest is the last for which the columns have numbers), names of columns choose columns; of several cells the smallest and the largest
are quoted. {{$t.Show "n = 8, 12"}} quotes lines as a table in Markdown. {{$t.Best "sat pack"}}
counts the lines in which a column has the smallest number, Finished those in which it has any,
and Worst quotes the largest multiple of the smallest that it has. Numbers shows what Show does,
without intervals and comparisons. Where the set's folder
has further measurements in a folder "again", {{$t.All.Value ...}} quotes the smallest and the
largest of all, and {{measured "valid-cells"}} says when they were made. Wall-clock times of a busy machine are quoted with a note on standard
error. Each document is written into a folder under its template's name.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, templates []string) error {
			documents := report.NewDocuments(records, readSet)
			stale := 0
			for _, name := range templates {
				source, err := os.ReadFile(name)
				if err != nil {
					return invalid("reading a template: %w", err)
				}
				filled, err := documents.Fill(name, source)
				if err != nil {
					return exit(badInput, err)
				}
				for _, doubt := range documents.Doubts {
					fmt.Fprintf(cmd.ErrOrStderr(), "harness: note: %s quotes times measured on a busy machine: %s\n", name, doubt)
				}
				documents.Doubts = nil
				target := filepath.Join(out, filepath.Base(name))
				if isSameFile(name, target) {
					return invalid("flag --out %s: the document would replace its template %s", out, name)
				}
				switch old, err := os.ReadFile(target); {
				case err == nil && bytes.Equal(old, filled):
					continue
				case check:
					fmt.Fprintf(cmd.ErrOrStderr(), "%s does not follow from %s and the records\n", target, name)
					stale++
					continue
				}
				err = os.MkdirAll(out, 0o755)
				if err == nil {
					err = system.WriteFile(target, filled, 0o644)
				}
				if err != nil {
					return invalid("writing a document: %w", err)
				}
				fmt.Fprintln(cmd.OutOrStdout(), target)
			}
			if stale > 0 {
				return exit(1, errors.New("documents on disk do not match their templates: harness docs rebuilds them"))
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&out, "out", ".", "folder of the documents")
	cmd.Flags().StringVar(&records, "records", "results/reference", "folder of the record sets")
	cmd.Flags().BoolVar(&check, "check", false, "write nothing; fail if a document on disk differs")
	return cmd
}

func isSameFile(a, b string) bool {
	one, err := os.Stat(a)
	two, missing := os.Stat(b)
	return err == nil && missing == nil && os.SameFile(one, two)
}
