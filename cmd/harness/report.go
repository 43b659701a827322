package main

import (
	"fmt"
	"io"
	"path/filepath"
	"runtime/debug"

	"github.com/spf13/cobra"

	"queens/experiments/report"
)

// madeReport is a report in the JSON output of report.
type madeReport struct {
	Dir   string `json:"dir"`
	Files int    `json:"files"`
	Index string `json:"index"`
}

func newReport() *cobra.Command {
	var (
		check bool
		asked report.Options
	)
	cmd := &cobra.Command{
		Use:   "report DIR...",
		Short: "Make tables and plots from records, in DIR/report",
		Long: `Make tables and plots from records alone: report.md, index.html, each table as CSV and LaTeX, and
each plot as SVG and, with --pdf, as PDF. The same records always produce the same bytes.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, dirs []string) error {
			// Most of the memory is text of records, without pointers: collecting it more often costs little.
			debug.SetGCPercent(50)
			stale := []string{}
			var made []madeReport
			text := cmd.OutOrStdout()
			if asJSON, _ := cmd.Flags().GetBool("json"); asJSON {
				text = io.Discard
			}
			for _, dir := range dirs {
				set, err := readSet(dir)
				if err != nil {
					return err
				}
				out := filepath.Join(dir, report.Dir)
				wanted := asked
				wanted.PDF = asked.PDF || report.HasPDF(out)
				files, err := report.Build(set, wanted)
				if err != nil {
					return invalid("report of %s: %w", dir, err)
				}
				if check {
					coverage, err := set.Coverage()
					if err != nil {
						return exit(badInput, err)
					}
					if !coverage.Complete() {
						return exit(runsFailed, fmt.Errorf("%s: %s", dir, coverage))
					}
					for _, difference := range files.Check(out) {
						fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s\n", out, difference)
						stale = append(stale, out+": "+difference)
					}
					continue
				}
				if err := files.Write(out); err != nil {
					return err
				}
				index := filepath.Join(out, "index.html")
				made = append(made, madeReport{dir, len(files), index})
				fmt.Fprintf(text, "%s: %d files; open %s\n", out, len(files), index)
			}
			err := show(cmd, map[string]any{"reports": made, "stale": stale}, func(io.Writer) error { return nil })
			if err != nil {
				return err
			}
			if len(stale) > 0 {
				return exit(1, fmt.Errorf("the report on disk does not match the records: %s report rebuilds it", invoked()))
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&check, "check", false, "write nothing; fail if the report on disk differs")
	cmd.Flags().StringArrayVar(&asked.Columns, "columns", nil, "columns of the tables for LaTeX, beside those that name a line: `A,B`; may be repeated (default all)")
	cmd.Flags().BoolVar(&asked.PDF, "pdf", false, "make each plot as PDF, too; a report that has them keeps them up to date")
	addJSON(cmd)
	return cmd
}
