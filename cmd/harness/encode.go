package main

import (
	"io"

	"github.com/spf13/cobra"

	"queens/encode"
	"queens/encode/amo"
)

// mostClauses is the size of the largest formula that is written with pairwise encoding, since the formula is
// held in memory. The board of n = 300 has about this many clauses, which take half a gigabyte.
const mostClauses = 45_000_000

// addFormat adds --format and -o, for commands that write problems.
func addFormat(cmd *cobra.Command, format *string) {
	nameFlag(cmd, format, "format", "file format", []string{"cnf", "opb"})
	addOutput(cmd, "file to write (default: standard output)")
}

func newEncode() *cobra.Command {
	var (
		f      flags
		format = "cnf"
	)
	cmd := &cobra.Command{
		Use:   "encode -n N",
		Short: "Write the problem as DIMACS CNF or OPB, with the variable order in comments",
		Args:  cobra.NoArgs,
		RunE: f.on("encoding", func(cmd *cobra.Command, p encode.Problem) error {
			if err := f.Check(); err != nil {
				return flagged(err)
			}
			order, _, err := f.Order.For(cmd.Context(), p, f.fileOrder)
			if err != nil {
				return flagged(err)
			}
			if format == "opb" {
				return write(cmd, func(w io.Writer) error { return p.WriteOPB(w, order) })
			}
			encoding, err := amo.Named(string(f.AMO))
			if err != nil {
				return err
			}
			if pairs := p.Pairs(); pairs > mostClauses && encoding.Name == amo.Pairwise.Name {
				return invalid("%s has %d clauses with %s, more than the limit of %d; "+
					"--amo sequential has fewer", p, pairs, encoding.Name, mostClauses)
			}
			return write(cmd, func(w io.Writer) error { return p.WriteDIMACS(w, encoding, order) })
		}),
	}
	f.AMO = "pairwise"
	f.register(cmd, 0, "order", "amo")
	addFormat(cmd, &format)
	return cmd
}
