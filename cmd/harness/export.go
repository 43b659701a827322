package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/renameio/v2"
	"github.com/spf13/cobra"

	"queens/backends/bdd"
	"queens/backends/bdd/robdd"
	"queens/board"
)

func newExport() *cobra.Command {
	var (
		b      boardFlags
		d      diagramFlags
		format string
		file   string
	)
	formats := robdd.Formats()
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = string(f)
	}
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
			if !slices.Contains(formats, robdd.Format(format)) {
				return exit(badInput, fmt.Errorf("flag --format %q: expected one of %s", format, strings.Join(names, ", ")))
			}
			p, err := b.problem()
			if err != nil {
				return err
			}
			c, err := d.diagram(cmd.Context(), p)
			if err != nil {
				return err
			}
			if d.file != "" {
				// The diagram is written as it was saved, so it must already say
				// what the flags say.
				o := bdd.New(c)
				all, err := o.Count(cmd.Context(), nil)
				if err != nil {
					return err
				}
				if left, err := o.Count(cmd.Context(), p.Fixed); err != nil {
					return err
				} else if all.Cmp(left) != 0 {
					return exit(badInput, fmt.Errorf("flag --diagram-file %s: the diagram is written as it was saved: give no more cells than were given then", d.file))
				}
			}
			n := c.Problem.N
			called := robdd.Names{
				Diagram: fmt.Sprintf("queens%d", n),
				Var: func(v robdd.Var) string {
					at := board.At(n, int(v)-1)
					return fmt.Sprintf("q_%d_%d", at.Row, at.Col)
				},
			}
			if file == "" {
				return c.Diagram.Export(cmd.OutOrStdout(), robdd.Format(format), called)
			}
			out, err := renameio.NewPendingFile(file, renameio.WithPermissions(0o644))
			if err != nil {
				return exit(badInput, fmt.Errorf("flag -o: %w", err))
			}
			defer out.Cleanup()
			if err := c.Diagram.Export(out, robdd.Format(format), called); err != nil {
				return err
			}
			return exit(badInput, out.CloseAtomicallyReplace())
		},
	}
	b.register(cmd)
	d.register(cmd)
	cmd.Flags().StringVar(&format, "format", "", "format to write (required): "+strings.Join(names, ", "))
	cmd.Flags().StringVarP(&file, "output", "o", "", "file to write (default: standard output)")
	return cmd
}
