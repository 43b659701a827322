package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"queens/backends/diagram"
	"queens/order"
	"queens/order/search"
)

func newOrderProve() *cobra.Command {
	var (
		n      int
		kind   string
		method string
		file   string
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "prove -n N",
		Short: "Prove the size of the smallest diagram over all orders, up to n = 6",
		Long: `Prove the size of the smallest diagram over all orders, by dynamic programming over
sets of variables (Friedman and Supowit 1990). The two methods share no code:
  sets    from the solutions, top down, using interchangeable cells and the board's
          symmetries; up to n = 6 (n = 5 has the most sets and takes longest)
  tables  from the truth table, bottom up, as published; up to n = 4`,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			d, err := diagram.ParseKind(kind)
			if err != nil {
				return exit(badInput, fmt.Errorf("flag --diagram: %w", err))
			}
			most, known := map[string]int{"sets": 6, "tables": 4}[method]
			if !known {
				return exit(badInput, fmt.Errorf("flag --method %q: expected sets or tables", method))
			}
			if n < 1 || n > most {
				return exit(badInput, fmt.Errorf("flag -n %d: expected 1 to %d for method %s", n, most, method))
			}
			s, err := orderSizer(cmd.Context(), n)
			if err != nil {
				return err
			}
			start := time.Now()
			var proof search.Proof
			if method == "tables" {
				proof, err = search.MinimumByTables(cmd.Context(), search.TruthTable(n), d)
			} else {
				proof, err = search.Minimum(cmd.Context(), s, d, search.Symmetries(n))
			}
			if err != nil {
				return err
			}
			proof.Order = search.Canonical(n, proof.Order)
			report := orderReport{
				N: n, Diagram: kind, Nodes: proof.Nodes, Order: cellNames(proof.Order.Cells(n)), Optimal: true,
				Method: method, Sets: proof.States, Solved: proof.Solved,
				RowMajor: s.Sizes(rowMajor(n)).Of(d), Seconds: time.Since(start).Seconds(),
			}
			if file != "" {
				what := fmt.Sprintf("n = %d, %s of %d nodes, the smallest there is", n, d, proof.Nodes)
				if err := writeOrder(file, n, proof.Order, what); err != nil {
					return err
				}
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), report)
			}
			return report.print(cmd.OutOrStdout(), proof.Order)
		},
	}
	cmd.Flags().IntVarP(&n, "size", "n", 0, "board size (required)")
	cmd.Flags().StringVar(&kind, "diagram", "bdd", "kind of diagram: bdd or zdd")
	cmd.Flags().StringVar(&method, "method", "sets", "sets or tables")
	cmd.Flags().StringVarP(&file, "output", "o", "", "write the order to this file")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

func rowMajor(n int) order.Order {
	o, err := order.ByName("row-major")
	if err != nil {
		panic(err) // the name is built in
	}
	return o.Of(n)
}
