package main

import (
	"io"

	"github.com/spf13/cobra"

	"queens/encode/amo"
	"queens/encode/cnf"
)

// mostClauses is the largest formula that is written, since it is held in memory: pairwise
// has about as many clauses at n = 300, which take half a gigabyte.
const mostClauses = 45_000_000

var problemFormats = choices{"cnf", "opb"}

func newEncode() *cobra.Command {
	var (
		b      problemFlags
		c      choiceFlags
		format string
		file   string
	)
	cmd := &cobra.Command{
		Use:   "encode -n N",
		Short: "Write the problem as DIMACS CNF or OPB, with the variable order in comments",
		Args:  args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			p, err := b.problem()
			if err != nil {
				return err
			}
			if err := c.Check(); err != nil {
				return c.flagged(err)
			}
			order, _, err := c.Order.For(p, b.cnfOrder)
			if err != nil {
				return c.flagged(err)
			}
			switch format {
			case "cnf":
			case "opb":
				return writeOutput("-o", file, cmd.OutOrStdout(), func(w io.Writer) error { return p.WriteOPB(w, order) })
			default:
				return problemFormats.unknown("format", format)
			}
			encoding, err := amo.Named(string(c.AMO))
			if err != nil {
				return err
			}
			if clauses := p.NumClauses(encoding); clauses > mostClauses {
				return invalid("%s has %d clauses with %s, more than the limit of %d; "+
					"--amo sequential has fewer", p, clauses, encoding.Name, mostClauses)
			}
			f := p.CNF(encoding)
			vars := []cnf.Var(order)
			for v := p.NumVars() + 1; v <= f.Vars; v++ { // auxiliary variables last
				vars = append(vars, cnf.Var(v))
			}
			return writeOutput("-o", file, cmd.OutOrStdout(),
				func(w io.Writer) error { return f.WriteDIMACS(w, vars, p.VarName) })
		},
	}
	b.register(cmd)
	c.AMO = "pairwise"
	c.register(cmd, 0, "order", "amo")
	problemFormats.register(cmd, &format, "format", "cnf", "file format: %s")
	cmd.Flags().StringVarP(&file, "output", "o", "", "file to write (default: standard output)")
	return cmd
}
