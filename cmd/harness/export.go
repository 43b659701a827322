package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"queens/backends/bdd"
	"queens/backends/bdd/robdd"
	"queens/encode"
	"queens/encode/cnf"
)

func newExport() *cobra.Command {
	var (
		b      problemFlags
		d      choiceFlags
		format string
		file   string
	)
	formats := texts(robdd.Formats())
	cmd := &cobra.Command{
		Use:   "export -n N --format FORMAT",
		Short: "Write the ROBDD in another tool's format",
		Long: `Write the ROBDD in another tool's format.

  dddmp        CUDD, and dd for Python; with complement edges
  dddmp-plain  OxiDD and its viewer
  buddy        BuDDy (bdd_load)
  dd-json      dd for Python; with complement edges
  dot          Graphviz

Variables are numbered from 0, row by row, and named as q_ROW_COLUMN, also from 0.`,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !slices.Contains(formats, format) {
				return formats.unknown("format", format)
			}
			p, err := b.problem()
			if err != nil {
				return err
			}
			end := working(cmd, "compiling %s", p)
			defer func() { end() }()
			c, _, err := d.compile(cmd.Context(), p, &b)
			if err != nil {
				return err
			}
			if d.file != "" {
				// The diagram is written as it was saved, so the flags must not fix
				// more cells than it does.
				o := bdd.New(c)
				all, err := o.Count(cmd.Context(), nil)
				if err != nil {
					return err
				}
				if left, err := o.Count(cmd.Context(), p.Fixed); err != nil {
					return err
				} else if all.Cmp(left) != 0 {
					return invalid("flag --diagram-file %s: the diagram is written as it was "+
						"saved: do not give more cells than it was compiled with", d.file)
				}
			}
			drawn, err := c.As(cmd.Context(), robdd.BDD)
			if err != nil {
				return d.flagged(err)
			}
			end()
			if file != "" || !isTerminal(cmd.OutOrStdout()) {
				end = working(cmd, "writing %s", format)
			}
			return writeOutput("-o", file, cmd.OutOrStdout(), func(w io.Writer) error {
				out := &counted{Writer: w, progress: progressOf(cmd.Context()), stop: cmd.Context()}
				return drawn.Export(out, robdd.Format(format), exportedNames(p))
			})
		},
	}
	b.register(cmd)
	d.register(cmd, 0, "order", "construction", "workers")
	d.registerFile(cmd)
	formats.register(cmd, &format, "format", "", "format to write (required): %s")
	cmd.Flags().StringVarP(&file, "output", "o", "", "file to write (default: standard output)")
	return cmd
}

// exportedNames returns the names used in the exported file: q_ROW_COLUMN for the cells of a
// board; for other variables their own names, with underscores for all characters but letters
// and digits.
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
	if p.IsBoard() {
		names.Var = func(v robdd.Var) string {
			at := encode.VarCell(p.N, cnf.Var(v))
			return fmt.Sprintf("q_%d_%d", at.Row, at.Col)
		}
	}
	return names
}
