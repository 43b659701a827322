package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"queens/backends/diagram"
	"queens/encode"
	"queens/order/search"
)

func newOrderBound() *cobra.Command {
	var (
		f      sizing
		method string
		tree   int64
	)
	cmd := &cobra.Command{
		Use:   "bound -n N",
		Short: "Prove a lower bound on the diagram size over all orders, up to n = 8",
		Long: `Prove a lower bound on the diagram size over all orders. Methods:
  cell    place a queen on one cell and prove the minimum for the rest of the board;
          the bound is one more, for the best cell; up to n = 8
  levels  sum the least width of each level over all sets of cells above it, each by
          branch and bound with at most --tree nodes; ROBDD only, n = 4 to 7. A larger
          tree gives a better bound and takes longer`,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			sizes, known := map[string][2]int{"cell": {1, 8}, "levels": {4, 7}}[method]
			if !known {
				return invalid("flag --method %q: expected cell or levels", method)
			}
			d, err := f.check(sizes[0], sizes[1], " for method "+method)
			if err != nil {
				return err
			}
			if method == "levels" && d != diagram.BDD {
				return invalid("flag --diagram %s: method levels supports only bdd", d)
			}
			if tree < 1 {
				return invalid("flag --tree %d: expected 1 or more", tree)
			}
			s, err := orderSizer(cmd.Context(), f.n)
			if err != nil {
				return err
			}
			start := time.Now()
			report := map[string]any{"n": f.n, "diagram": f.diagram, "method": method}
			end := working(cmd, "proving a lower bound for n = %d", f.n)
			var by string
			if method == "levels" {
				by, err = boundByLevels(cmd.Context(), s, f.n, tree, f.workers, report)
			} else {
				by, err = boundByCell(cmd.Context(), s, f.n, d, report)
			}
			end()
			if err != nil {
				return err
			}
			report["seconds"] = time.Since(start).Seconds()
			return show(cmd, report, func(w io.Writer) error {
				_, err := fmt.Fprintf(w, "n = %d: no order gives a %s of fewer than %d nodes (by %s; %.3g s)\n",
					f.n, d, report["lower_bound"], by, report["seconds"])
				return err
			})
		},
	}
	f.register(cmd, "", "")
	cmd.Flags().StringVar(&method, "method", "cell", "cell or levels")
	cmd.Flags().Int64Var(&tree, "tree", 10_000, "method levels: most nodes in the search tree of a level")
	f.registerWorkers(cmd, "method levels: number of threads; does not change the bound")
	return cmd
}

// boundByLevels adds the bound, and what it rests on, to the report, and describes the latter.
func boundByLevels(
	ctx context.Context, s *search.Sizer, n int, tree int64, workers int, report map[string]any,
) (by string, err error) {
	bounds, err := search.LevelBounds(ctx, s, search.Symmetries(n), tree, workers)
	total, exact := 0, 0
	var widths []int // the least of each level
	for _, b := range bounds {
		total += b.Width
		widths = append(widths, b.Width)
		if b.Exact {
			exact++ // it is attained
		}
	}
	report["lower_bound"], report["widths"], report["exact_levels"] = total, widths, exact
	return fmt.Sprintf("the least widths of its levels, %d of %d exact", exact, len(bounds)), err
}

// boundByCell adds the bound and the queen's cell to the report, and describes the latter.
func boundByCell(
	ctx context.Context, s *search.Sizer, n int, d diagram.Kind, report map[string]any,
) (by string, err error) {
	bound, err := search.LowerBound(ctx, s, d, search.Symmetries(n))
	report["lower_bound"] = bound.Nodes
	if bound.Cell == 0 {
		return "one node for each cell", err
	}
	cell := encode.VarCell(n, bound.Cell).String()
	report["cell"] = cell
	return "a queen on " + cell, err
}
