package main

import (
	"context"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"queens/ask"
	"queens/encode"
	"queens/encode/cnf"
	"queens/robdd"
)

// exportFlags are the flags of export.
type exportFlags struct {
	flags
	format string
}

func newExport() *cobra.Command {
	var o exportFlags
	cmd := &cobra.Command{
		Use:   "export -n N --format FORMAT",
		Short: "Write the ROBDD in another tool's format, or any form as a picture",
		Long: `Write the ROBDD in another tool's format, or a ZDD, an MDD or a d-DNNF as a picture.

  dddmp        CUDD, and dd for Python; with complement edges
  dddmp-plain  OxiDD and its viewer
  buddy        BuDDy (bdd_load)
  dd-json      dd for Python; with complement edges
  dot          Graphviz, which draws it; the only format of other forms than the ROBDD

Variables are numbered from 0, row by row, and named as everywhere: a1 is row 0, column 0.`,
		Args: cobra.NoArgs,
		RunE: o.on("compiling", o.export),
	}
	o.Diagram = ask.ROBDD
	o.register(cmd, 0, "order", "construction", "diagram", "workers")
	o.registerFile(cmd)
	cmd.MarkFlagsMutuallyExclusive("diagram-file", "diagram")
	nameFlag(cmd, &o.format, "format", "format to write (required)", robdd.Formats())
	_ = cmd.MarkFlagRequired("format")
	addOutput(cmd, "file to write (default: standard output)")
	return cmd
}

// export writes the chosen form of the problem.
func (o *exportFlags) export(ctx context.Context, c console, p encode.Problem) error {
	if o.Diagram != ask.ROBDD && robdd.Format(o.format) != robdd.DOT {
		return invalid("flag --diagram: format %s holds an ROBDD; dot draws any form", o.format)
	}
	switch o.Diagram {
	case ask.MultiValued:
		d, _, err := compile(ctx, &o.flags, p, ask.CompileMDD)
		if err != nil {
			return err
		}
		return c.write(ctx, d.DOT)
	case ask.Decomposable:
		g, _, err := o.ddnnf(ctx, p)
		if err != nil {
			return err
		}
		return c.write(ctx, g.DOT)
	}
	compiled, _, err := compile(ctx, &o.flags, p, ask.Compile)
	if err != nil {
		return err
	}
	if o.file != "" {
		// The diagram is written as it was saved, so the flags must not fix
		// more cells than it does.
		oracle := ask.Oracle(compiled)
		all, err := oracle.Count(ctx, nil)
		if err != nil {
			return err
		}
		left, err := oracle.Count(ctx, p.Fixed)
		if err != nil {
			return err
		}
		if all.Cmp(left) != 0 {
			return invalid("flag --diagram-file %s: the diagram is written as it was "+
				"saved: do not give more cells than it was compiled with", o.file)
		}
	}
	drawn, err := o.Diagram.Of(ctx, compiled)
	if err != nil {
		return answered(ctx, err)
	}
	working(ctx, "writing %s", o.format)
	return c.write(ctx, func(w io.Writer) error { return drawn.Export(w, robdd.Format(o.format), exportedNames(p)) })
}

// exportedNames returns the names for the exported file.
func exportedNames(p encode.Problem) robdd.Names {
	names := robdd.Names{Diagram: p.Family, Var: func(v robdd.Var) string { return ask.Exported(p.VarName(cnf.Var(v))) }}
	if p.N > 0 {
		names.Diagram += strconv.Itoa(p.N)
	}
	return names
}
