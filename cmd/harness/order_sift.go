package main

import (
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"queens/backends/diagram"
	"queens/order/search"
)

func newOrderSift() *cobra.Command {
	var (
		n      int
		kind   string
		seed   uint64
		start  orderFlags
		file   string
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "sift -n N",
		Short: "Sift an order: move each variable to its best place, until nothing improves",
		Long: `Sift an order (Rudell 1993, trying every place, with no bound on growth): move each
variable in turn to the place where the diagram is smallest, until a pass over all of
them gains nothing. Moving any single variable then no longer improves the order.`,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			d, err := diagram.ParseKind(kind)
			if err != nil {
				return exit(badInput, fmt.Errorf("flag --diagram: %w", err))
			}
			if err := writable(file); err != nil {
				return exit(badInput, err)
			}
			s, err := orderSizer(cmd.Context(), n)
			if err != nil {
				return err
			}
			from, name, err := start.ofBoard(n)
			if err != nil {
				return err
			}
			began := time.Now()
			before := s.Sizes(from).Of(d)
			best, nodes, err := search.Sift(cmd.Context(), s, d, from, seed)
			if cmd.Context().Err() != nil {
				return exit(interrupted, fmt.Errorf("interrupted while sifting %s of %d nodes", name, before))
			}
			if err != nil {
				return err
			}
			best = search.Canonical(n, best)
			if file != "" {
				what := fmt.Sprintf("n = %d, %s of %d nodes: sifted with seed %d from %s", n, d, nodes, seed,
					start.from())
				if err := writeOrder(file, n, best, what); err != nil {
					return err
				}
			}
			out, seconds := cmd.OutOrStdout(), time.Since(began).Seconds()
			if asJSON {
				return printJSON(out, map[string]any{
					"n": n, "diagram": kind, "seed": seed, "nodes_before": before, "nodes": nodes,
					"order": cellNames(best.Cells(n)), "seconds": seconds,
				})
			}
			_, err = fmt.Fprintf(out,
				"Levels, from 0 at the top:\n%s\nn = %d: %s of %d nodes, sifted from %d of %s in %.3g s\n",
				fitting(out, best.Draw(n)), n, d, nodes, before, name, seconds)
			return err
		},
	}
	cmd.Flags().IntVarP(&n, "size", "n", 0, fmt.Sprintf("board size, 1 to %d (required)", mostListed))
	cmd.Flags().StringVar(&kind, "diagram", "bdd", "kind of diagram to make smaller: bdd or zdd")
	cmd.Flags().Uint64Var(&seed, "seed", 1, "seed for the sequence in which variables are moved")
	start.register(cmd)
	cmd.Flags().StringVarP(&file, "output", "o", "", "write the order to this file")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// from returns the order's name for a file that is derived from it.
func (f *orderFlags) from() string {
	if f.file != "" {
		return filepath.Base(f.file)
	}
	return f.name
}
