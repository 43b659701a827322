package main

import (
	"context"
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

// reportFlags are the flags of report.
type reportFlags struct {
	report.Options
	check bool
}

func newReport() *cobra.Command {
	var o reportFlags
	cmd := &cobra.Command{
		Use:   "report DIR...",
		Short: "Make tables and plots from records, in DIR/report",
		Long: `Make tables and plots from records alone: report.md, index.html, each table as CSV and LaTeX, and
each plot as SVG and, with --pdf, as PDF. The same records always produce the same bytes.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, dirs []string) error { return o.report(cmd.Context(), consoleOf(cmd), dirs) },
	}
	cmd.Flags().BoolVar(&o.check, "check", false, "write nothing; fail if the report on disk differs")
	cmd.Flags().StringArrayVar(&o.Columns, "columns", nil, "columns of the tables for LaTeX, beside those that name a line: `A,B`; may be repeated (default all)")
	cmd.Flags().BoolVar(&o.PDF, "pdf", false, "make each plot as PDF, too; a report that has them keeps them up to date")
	addJSON(cmd)
	return cmd
}

// report makes the reports of the record sets in folders, or checks those that are there.
func (o *reportFlags) report(ctx context.Context, c console, dirs []string) error {
	// Most of the memory is text of records, without pointers: collecting it more often costs little.
	debug.SetGCPercent(50)
	stale := []string{}
	var made []madeReport
	text := c.out
	if c.json {
		text = io.Discard
	}
	for _, dir := range dirs {
		set, err := readSet(dir)
		if err != nil {
			return err
		}
		out := filepath.Join(dir, report.Dir)
		wanted := o.Options
		wanted.PDF = o.PDF || report.HasPDF(out)
		coverage, uncovered := set.Coverage()
		if uncovered == nil {
			wanted.Coverage = &coverage
		}
		files, err := report.Build(set, wanted)
		if err != nil {
			return invalid("report of %s: %w", dir, err)
		}
		if o.check {
			if uncovered != nil {
				return exit(badInput, uncovered)
			}
			if !coverage.Complete() {
				return exit(runsFailed, fmt.Errorf("%s: %s", dir, coverage))
			}
			for _, difference := range files.Check(out) {
				fmt.Fprintf(c.err, "%s: %s\n", out, difference)
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
		if uncovered == nil && !coverage.Complete() {
			fmt.Fprintf(text, "%s: %s\n", dir, coverage)
		}
	}
	err := c.show(ctx, map[string]any{"reports": made, "stale": stale}, func(io.Writer) error { return nil })
	if err != nil {
		return err
	}
	if len(stale) > 0 {
		return exit(1, fmt.Errorf("the report on disk does not match the records: %s report rebuilds it", invoked()))
	}
	return nil
}
