package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"queens/order/search"
)

func newOrderRows() *cobra.Command {
	var (
		b        boardOrder
		sequence string
	)
	cmd := &cobra.Command{
		Use:   "rows -n N",
		Short: "Prove the size of the smallest diagram over the orders by whole rows, up to n = 12",
		Long: `Prove the size of the smallest diagram over all orders by whole rows: the rows in any
sequence, and the cells within each row in any sequence. Two nested dynamic programs
range over the sets of rows and over the sets of columns in a row. Sequences of rows:
  all       every sequence; up to n = 12, which takes about twenty minutes on one core
  ends      each row is the first or the last of the remaining rows; up to n = 14
  1,2,7,... these rows in this sequence; up to n = 14`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			most := search.LargestByRows
			if sequence == "all" {
				most = search.LargestAllRows
			}
			s, err := b.open(cmd.Context(), most, " for sequence "+sequence)
			if err != nil {
				return err
			}
			allowed, among, err := rowSequences(b.N, sequence)
			if err != nil {
				return invalid("flag --sequence: %w", err)
			}
			start := time.Now()
			working(cmd, "proving the smallest by whole rows for n = %d", b.N)
			proof, err := search.MinimumByRows(cmd.Context(), s, b.N, b.kind, allowed, b.Workers)
			if err != nil {
				return err
			}
			best := search.Canonical(b.N, proof.Order)
			if err := b.save(cmd, best, proof.Nodes, ", the smallest by whole rows, "+among); err != nil {
				return err
			}
			rowMajor, seconds := s.RowMajor(b.kind), time.Since(start).Seconds()
			return b.show(cmd, best, proof.Nodes, map[string]any{
				"sequence": sequence, "row_major": rowMajor, "sets": proof.Sets, "steps": proof.Steps,
				"seconds": seconds,
			}, fmt.Sprintf("the smallest by whole rows, %s; row-major has %d\n"+
				"%d sets of rows, %d steps between them, in %.3g s", among, rowMajor, proof.Sets, proof.Steps, seconds))
		},
	}
	b.register(cmd, "diagram", "workers")
	cmd.Flags().StringVar(&sequence, "sequence", "all", "sequences of rows: all, ends, or row numbers")
	addOutput(cmd, "write the order to this file")
	return cmd
}

// rowSequences returns the sequences of n rows that the text allows, and a description of them.
func rowSequences(n int, text string) (allowed func(uint32) bool, among string, err error) {
	switch text {
	case "all":
		return nil, "in any sequence", nil
	case "ends":
		return search.FromEnds(n), "from both ends of the board", nil
	}
	var rows []int
	seen := make([]bool, n)
	for word := range strings.SplitSeq(text, ",") {
		row, err := strconv.Atoi(strings.TrimSpace(word))
		if err != nil || row < 1 || row > n || seen[row-1] {
			return nil, "", fmt.Errorf("row %q: expected all, ends, or each of the rows 1 to %d once", word, n)
		}
		seen[row-1] = true
		rows = append(rows, row-1)
	}
	if len(rows) != n {
		return nil, "", fmt.Errorf("%d rows: expected each of the rows 1 to %d once", len(rows), n)
	}
	return search.InSequence(rows), "in the sequence " + text, nil
}
