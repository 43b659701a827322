package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"queens/order/search"
)

func newOrderProve() *cobra.Command {
	var (
		f      sizing
		method string
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
			most, known := map[string]int{"sets": 6, "tables": 4}[method]
			if !known {
				return invalid("flag --method %q: expected sets or tables", method)
			}
			d, err := f.check(1, most, " for method "+method)
			if err != nil {
				return err
			}
			s, err := orderSizer(cmd.Context(), f.n)
			if err != nil {
				return err
			}
			start := time.Now()
			var proof search.Proof
			if method == "tables" {
				proof, err = search.MinimumByTables(cmd.Context(), search.TruthTable(f.n), d)
			} else {
				proof, err = search.Minimum(cmd.Context(), s, d, search.Symmetries(f.n))
			}
			if err != nil {
				return err
			}
			best, err := f.keep(proof.Order, proof.Nodes, ", the smallest there is")
			if err != nil {
				return err
			}
			rowMajor, seconds := rowMajor(s, f.n, d), time.Since(start).Seconds()
			return f.show(cmd, best, proof.Nodes, map[string]any{
				"optimal": true, "method": method, "sets": proof.States, "sets_solved": proof.Solved,
				"row_major": rowMajor, "seconds": seconds,
			}, fmt.Sprintf("the smallest there is, proved; row-major has %d\n"+
				"%d sets of variables, %d of them solved, in %.3g s", rowMajor, proof.States, proof.Solved, seconds))
		},
	}
	f.register(cmd, "", "")
	cmd.Flags().StringVar(&method, "method", "sets", "sets or tables")
	f.registerOutput(cmd, "the order")
	return cmd
}
