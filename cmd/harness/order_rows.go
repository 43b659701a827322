package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"queens/order/optimize"
)

func newOrderRows() *cobra.Command {
	var (
		b        boardOrder
		sequence = "all"
	)
	cmd := &cobra.Command{
		Use:   "rows -n N",
		Short: "Prove the size of the smallest diagram over the orders by whole rows, up to n = 12",
		Long: `Prove the size of the smallest diagram over all orders by whole rows: the rows in any
sequence, and the cells within each row in any sequence. Two nested dynamic programs
range over the sets of rows and over the sets of columns in a row. Sequences of rows:
  all   every sequence; up to n = 12, which takes about twenty minutes on one core
  ends  each row is the first or the last of the remaining rows; up to n = 14`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			most, among := optimize.LargestAllRows, "in any sequence"
			if sequence == "ends" {
				most, among = optimize.LargestByRows, "from both ends of the board"
			}
			s, err := b.open(cmd.Context(), most, " for --sequences "+sequence)
			if err != nil {
				return err
			}
			var allowed func(rows uint32) bool
			if sequence == "ends" {
				allowed = optimize.FromEnds(b.N)
			}
			start := time.Now()
			working(cmd, "proving the smallest by whole rows for n = %d", b.N)
			proof, err := optimize.MinimumByRows(cmd.Context(), s, b.N, b.kind, allowed, b.Workers)
			if err != nil {
				return err
			}
			best := optimize.Canonical(b.N, proof.Order)
			if err := b.save(cmd, best, proof.Nodes, ", the smallest by whole rows, "+among); err != nil {
				return err
			}
			rowMajor, seconds := s.RowMajor(b.kind), time.Since(start).Seconds()
			return b.show(cmd, best, proof.Nodes, map[string]any{
				"sequences": sequence, "row_major_nodes": rowMajor, "sets": proof.Sets, "steps": proof.Steps,
				"seconds": seconds,
			}, fmt.Sprintf("the smallest by whole rows, %s; row-major has %d\n"+
				"%d sets of rows, %d steps between them, in %s", among, rowMajor, proof.Sets, proof.Steps, took(seconds)))
		},
	}
	b.register(cmd, "diagram", "workers")
	nameFlag(cmd, &sequence, "sequences", "sequences of rows", []string{"all", "ends"})
	addOutput(cmd, "write the order to this file")
	return cmd
}
