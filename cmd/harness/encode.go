package main

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"queens/board"
	"queens/encode"
	"queens/encode/amo"
	"queens/encode/csplib"
)

// mostClauses is the size of the largest formula that is written with pairwise encoding: a larger one is a mistake,
// since other encodings are far smaller. The board of n = 300 has about this many clauses, in a file of 700 MB.
const mostClauses = 45_000_000

// addFormat adds --format and -o, for commands that write problems.
func addFormat(cmd *cobra.Command, format *string) {
	nameFlag(cmd, format, "format", "file format", []string{"cnf", "opb", "csplib"})
	addOutput(cmd, "file to write (default: standard output)")
}

// encodeFlags are the flags of encode.
type encodeFlags struct {
	flags
	format string
}

func newEncode() *cobra.Command {
	o := encodeFlags{format: "cnf"}
	cmd := &cobra.Command{
		Use:   "encode -n N",
		Short: "Write the problem as DIMACS CNF or OPB, with the variable order in comments, or a board for CSPLib",
		Args:  cobra.NoArgs,
		RunE:  o.on("encoding", o.encode),
	}
	o.AMO = "pairwise"
	o.register(cmd, 0, "order", "amo")
	addFormat(cmd, &o.format)
	return cmd
}

// instance returns a board in one of CSPLib's two forms, completion if no cell is blocked. With both, a queen that is
// placed is the only cell of its row that is not blocked.
func instance(p encode.Problem) csplib.Instance {
	in := csplib.Instance{N: p.N, Queens: p.Placed(), Blocks: p.Blocked()}
	if len(in.Blocks) == 0 {
		return in
	}
	for _, queen := range in.Queens {
		for col := range p.N {
			if c := (board.Cell{Row: queen.Row, Col: col}); c != queen && !slices.Contains(in.Blocks, c) {
				in.Blocks = append(in.Blocks, c)
			}
		}
	}
	in.Queens = nil
	return in
}

// encode writes the problem as a file.
func (o *encodeFlags) encode(ctx context.Context, c console, p encode.Problem) error {
	if err := o.Check(); err != nil {
		return flagged(err)
	}
	c.noteWeights(p)
	order, _, err := o.Order.For(ctx, p, o.fileOrder)
	if err != nil {
		return flagged(err)
	}
	if o.format == "csplib" && !p.IsQueens() {
		return invalid("flag --format csplib: it holds boards of queens, and this is %s", p)
	}
	if o.format == "csplib" {
		return c.write(ctx, instance(p).Write)
	}
	if o.format == "opb" && p.Auxiliary > 0 {
		return invalid("flag --format opb: %w: write DIMACS (--format cnf)", encode.ErrProjected)
	}
	if o.format == "opb" {
		return c.write(ctx, func(w io.Writer) error { return p.WriteOPB(w, order) })
	}
	atMostOne, err := amo.Named(string(o.AMO))
	if err != nil {
		return err
	}
	if pairs := p.Pairs(); pairs > mostClauses && atMostOne.Name == amo.Pairwise.Name {
		return invalid("%s has %d clauses with %s, more than the limit of %d; "+
			"--amo sequential has fewer", p, pairs, atMostOne.Name, mostClauses)
	}
	for _, counter := range p.Counters(atMostOne) {
		if counter != atMostOne.Name {
			fmt.Fprintf(c.err, "harness: note: %s encodes the constraints that count beyond one: "+
				"%s is for at most one, or would need too many clauses\n", counter, atMostOne.Name)
		}
	}
	return c.write(ctx, func(w io.Writer) error { return p.WriteDIMACS(w, atMostOne, order) })
}
