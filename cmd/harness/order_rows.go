package main

import (
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"queens/backends/diagram"
	"queens/order/search"
)

// rowsFlags are the flags of order rows.
type rowsFlags struct {
	n        int
	diagram  string
	sequence string
	workers  int
	output   string
	asJSON   bool
}

func newOrderRows() *cobra.Command {
	var f rowsFlags
	cmd := &cobra.Command{
		Use:   "rows -n N",
		Short: "Prove the size of the smallest diagram over the orders by whole rows, up to n = 12",
		Long: `Prove the size of the smallest diagram over all orders by whole rows: the rows in any
sequence, and the cells within each row in any sequence. Two nested dynamic programs
range over the sets of rows and over the sets of columns in a row. Sequences of rows:
  all       every sequence; up to n = 12, which takes about twenty minutes on one core
  ends      each row is the first or the last of the remaining rows; up to n = 14
  1,2,7,... these rows in this sequence; up to n = 14`,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	cmd.Flags().IntVarP(&f.n, "size", "n", 0, "board size (required)")
	cmd.Flags().StringVar(&f.diagram, "diagram", "bdd", "kind of diagram: bdd or zdd")
	cmd.Flags().StringVar(&f.sequence, "sequence", "all", "sequences of rows: all, ends, or row numbers")
	cmd.Flags().IntVar(&f.workers, "workers", runtime.GOMAXPROCS(0),
		"number of threads; does not change the order found")
	cmd.Flags().StringVarP(&f.output, "output", "o", "", "write the order to this file")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print one JSON object")
	return cmd
}

func (f *rowsFlags) run(cmd *cobra.Command) error {
	d, err := diagram.ParseKind(f.diagram)
	if err != nil {
		return exit(badInput, fmt.Errorf("flag --diagram: %w", err))
	}
	most := search.LargestByRows
	if f.sequence == "all" {
		most = search.LargestAllRows
	}
	if f.n < 1 || f.n > most {
		return exit(badInput, fmt.Errorf("flag -n %d: expected 1 to %d for sequence %s", f.n, most, f.sequence))
	}
	if f.workers < 1 {
		return exit(badInput, fmt.Errorf("flag --workers %d: expected 1 or more", f.workers))
	}
	allowed, among, err := f.sequences()
	if err != nil {
		return exit(badInput, fmt.Errorf("flag --sequence: %w", err))
	}
	if err := writable(f.output); err != nil {
		return exit(badInput, err)
	}
	s, err := orderSizer(cmd.Context(), f.n)
	if err != nil {
		return err
	}
	start := time.Now()
	proof, err := search.MinimumByRows(cmd.Context(), s, f.n, d, allowed, f.workers)
	if cmd.Context().Err() != nil {
		elapsed := time.Since(start).Round(time.Second)
		return exit(interrupted, fmt.Errorf("interrupted after %v, before anything was proved", elapsed))
	}
	if err != nil {
		return err
	}
	proof.Order = search.Canonical(f.n, proof.Order)
	if f.output != "" {
		what := fmt.Sprintf("n = %d, %s of %d nodes, the smallest by whole rows, %s", f.n, d, proof.Nodes, among)
		if err := writeOrder(f.output, f.n, proof.Order, what); err != nil {
			return err
		}
	}
	rowMajor, seconds := s.Sizes(rowMajor(f.n)).Of(d), time.Since(start).Seconds()
	out := cmd.OutOrStdout()
	if f.asJSON {
		return printJSON(out, map[string]any{
			"n": f.n, "diagram": f.diagram, "sequence": f.sequence, "nodes": proof.Nodes, "row_major": rowMajor,
			"order": cellNames(proof.Order.Cells(f.n)), "sets": proof.Sets, "steps": proof.Steps, "seconds": seconds,
		})
	}
	_, err = fmt.Fprintf(out, "Levels, from 0 at the top:\n%s\n"+
		"n = %d: %s of %d nodes, the smallest by whole rows, %s; row-major has %d\n"+
		"%d sets of rows, %d steps between them, in %.3g s\n",
		fitting(out, proof.Order.Draw(f.n)), f.n, d, proof.Nodes, among, rowMajor, proof.Sets, proof.Steps, seconds)
	return err
}

// sequences returns the sequences of rows that the flag allows, and a description of them.
func (f *rowsFlags) sequences() (allowed func(uint32) bool, among string, err error) {
	switch f.sequence {
	case "all":
		return nil, "in any sequence", nil
	case "ends":
		return search.FromEnds(f.n), "from both ends of the board", nil
	}
	var rows []int
	seen := make([]bool, f.n)
	for word := range strings.SplitSeq(f.sequence, ",") {
		row, err := strconv.Atoi(strings.TrimSpace(word))
		if err != nil || row < 1 || row > f.n || seen[row-1] {
			return nil, "", fmt.Errorf("row %q: expected all, ends, or each of the rows 1 to %d once", word, f.n)
		}
		seen[row-1] = true
		rows = append(rows, row-1)
	}
	if len(rows) != f.n {
		return nil, "", fmt.Errorf("%d rows: expected each of the rows 1 to %d once", len(rows), f.n)
	}
	return search.InSequence(rows), "in the sequence " + f.sequence, nil
}
