package main

import (
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"queens/order/search"
)

func newOrderSift() *cobra.Command {
	var (
		f     sizing
		seed  uint64
		start orderFlags
	)
	cmd := &cobra.Command{
		Use:   "sift -n N",
		Short: "Sift an order: move each variable to its best place, until nothing improves",
		Long: `Sift an order (Rudell 1993, trying every place, with no bound on growth): move each
variable in turn to the place where the diagram is smallest, until a pass over all of
them gains nothing. Moving any single variable then no longer improves the order.`,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			d, err := f.check(1, mostListed, "")
			if err != nil {
				return err
			}
			s, err := orderSizer(cmd.Context(), f.n)
			if err != nil {
				return err
			}
			from, name, err := start.ofBoard(f.n)
			if err != nil {
				return err
			}
			began, before := time.Now(), s.Sizes(from).Of(d)
			end := working(cmd, "sifting %s of %d nodes", name, before)
			best, nodes, err := search.Sift(cmd.Context(), s, d, from, seed)
			end()
			if err != nil {
				return err
			}
			best, err = f.keep(best, nodes, fmt.Sprintf(": sifted with seed %d from %s", seed, start.from()))
			if err != nil {
				return err
			}
			seconds := time.Since(began).Seconds()
			return f.show(cmd, best, nodes, map[string]any{"seed": seed, "nodes_before": before, "seconds": seconds},
				fmt.Sprintf("sifted from %d of %s in %.3g s", before, name, seconds))
		},
	}
	f.register(cmd, fmt.Sprintf(", 1 to %d", mostListed), " to make smaller")
	cmd.Flags().Uint64Var(&seed, "seed", 1, "seed for the sequence in which variables are moved")
	start.register(cmd)
	f.registerOutput(cmd, "the order")
	return cmd
}

// from returns the order's name for a file that is derived from it.
func (f *orderFlags) from() string {
	if f.file != "" {
		return filepath.Base(f.file)
	}
	return f.name
}
