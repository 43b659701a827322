package main

import (
	"io"
	"strconv"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"queens/ask"
	"queens/encode"
	"queens/encode/cnf"
	"queens/robdd"
)

func newExport() *cobra.Command {
	var (
		f      flags
		format string
	)
	cmd := &cobra.Command{
		Use:   "export -n N --format FORMAT",
		Short: "Write the ROBDD in another tool's format",
		Long: `Write the ROBDD in another tool's format.

  dddmp        CUDD, and dd for Python; with complement edges
  dddmp-plain  OxiDD and its viewer
  buddy        BuDDy (bdd_load)
  dd-json      dd for Python; with complement edges
  dot          Graphviz

Variables are numbered from 0, row by row, and named as everywhere: a1 is row 0, column 0.`,
		Args: cobra.NoArgs,
		RunE: f.on("compiling", func(cmd *cobra.Command, p encode.Problem) error {
			compiled, _, err := f.compile(cmd.Context(), p)
			if err != nil {
				return err
			}
			if f.file != "" {
				// The diagram is written as it was saved, so the flags must not fix
				// more cells than it does.
				oracle := ask.Oracle(compiled)
				all, err := oracle.Count(cmd.Context(), nil)
				if err != nil {
					return err
				}
				left, err := oracle.Count(cmd.Context(), p.Fixed)
				if err != nil {
					return err
				}
				if all.Cmp(left) != 0 {
					return invalid("flag --diagram-file %s: the diagram is written as it was "+
						"saved: do not give more cells than it was compiled with", f.file)
				}
			}
			drawn, err := compiled.As(cmd.Context(), robdd.BDD)
			if err != nil {
				return answered(cmd.Context(), err)
			}
			working(cmd, "writing %s", format)
			return write(cmd, func(w io.Writer) error { return drawn.Export(w, robdd.Format(format), exportedNames(p)) })
		}),
	}
	f.register(cmd, 0, "order", "construction", "workers")
	f.registerFile(cmd)
	nameFlag(cmd, &format, "format", "format to write (required)", robdd.Formats())
	_ = cmd.MarkFlagRequired("format")
	addOutput(cmd, "file to write (default: standard output)")
	return cmd
}

// exportedNames returns the variables' names for the exported file: underscores replace all characters except
// letters and digits.
func exportedNames(p encode.Problem) robdd.Names {
	names := robdd.Names{Diagram: p.Family, Var: func(v robdd.Var) string {
		return strings.Map(func(r rune) rune {
			if r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) {
				return r
			}
			return '_'
		}, p.VarName(cnf.Var(v)))
	}}
	if p.N > 0 {
		names.Diagram += strconv.Itoa(p.N)
	}
	return names
}
