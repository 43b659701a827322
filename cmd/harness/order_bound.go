package main

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"queens/backends/diagram"
	"queens/encode"
	"queens/order/search"
)

// boundFlags are the flags of order bound.
type boundFlags struct {
	n       int
	diagram string
	method  string
	tree    int64
	workers int
	asJSON  bool
}

// boundReport is the JSON output of order bound.
type boundReport struct {
	N          int     `json:"n"`
	Diagram    string  `json:"diagram"`
	Method     string  `json:"method"`
	LowerBound int     `json:"lower_bound"`
	Cell       string  `json:"cell,omitempty"`         // method cell: the queen's cell
	Widths     []int   `json:"widths,omitempty"`       // method levels: least width of each level
	Exact      int     `json:"exact_levels,omitempty"` // method levels: levels whose bound is attained
	Seconds    float64 `json:"seconds"`
}

func newOrderBound() *cobra.Command {
	var f boundFlags
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
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	cmd.Flags().IntVarP(&f.n, "size", "n", 0, "board size (required)")
	cmd.Flags().StringVar(&f.diagram, "diagram", "bdd", "kind of diagram: bdd or zdd")
	cmd.Flags().StringVar(&f.method, "method", "cell", "cell or levels")
	cmd.Flags().Int64Var(&f.tree, "tree", 10_000, "method levels: most nodes in the search tree of a level")
	cmd.Flags().IntVar(&f.workers, "workers", runtime.GOMAXPROCS(0),
		"method levels: number of threads; does not change the bound")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print one JSON object")
	return cmd
}

func (f *boundFlags) run(cmd *cobra.Command) error {
	d, err := diagram.ParseKind(f.diagram)
	if err != nil {
		return exit(badInput, fmt.Errorf("flag --diagram: %w", err))
	}
	least, most := 1, 8
	switch f.method {
	case "cell":
	case "levels":
		least, most = 4, 7
		if d != diagram.BDD {
			return exit(badInput, fmt.Errorf("flag --diagram %s: method levels supports only bdd", d))
		}
	default:
		return exit(badInput, fmt.Errorf("flag --method %q: expected cell or levels", f.method))
	}
	if f.n < least || f.n > most {
		return exit(badInput, fmt.Errorf("flag -n %d: expected %d to %d for method %s", f.n, least, most, f.method))
	}
	if f.tree < 1 {
		return exit(badInput, fmt.Errorf("flag --tree %d: expected 1 or more", f.tree))
	}
	if f.workers < 1 {
		return exit(badInput, fmt.Errorf("flag --workers %d: expected 1 or more", f.workers))
	}
	s, err := orderSizer(cmd.Context(), f.n)
	if err != nil {
		return err
	}
	start := time.Now()
	report := boundReport{N: f.n, Diagram: f.diagram, Method: f.method}
	by, err := report.prove(cmd.Context(), f, s, d)
	report.Seconds = time.Since(start).Seconds()
	if cmd.Context().Err() != nil {
		return exit(interrupted, fmt.Errorf("interrupted after %.3g s, before a bound was proved", report.Seconds))
	}
	if err != nil {
		return err
	}
	if f.asJSON {
		return printJSON(cmd.OutOrStdout(), report)
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "n = %d: no order gives a %s of fewer than %d nodes (by %s; %.3g s)\n",
		f.n, d, report.LowerBound, by, report.Seconds)
	return err
}

// prove fills in the report and returns what the bound rests on.
func (r *boundReport) prove(ctx context.Context, f *boundFlags, s *search.Sizer, d diagram.Kind) (string, error) {
	if f.method == "levels" {
		bounds, err := search.LevelBounds(ctx, s, search.Symmetries(f.n), f.tree, f.workers)
		for _, b := range bounds {
			r.LowerBound += b.Width
			r.Widths = append(r.Widths, b.Width)
			if b.Exact {
				r.Exact++
			}
		}
		return fmt.Sprintf("the least widths of its levels, %d of %d exact", r.Exact, len(bounds)), err
	}
	bound, err := search.LowerBound(ctx, s, d, search.Symmetries(f.n))
	r.LowerBound = bound.Nodes
	if bound.Cell == 0 {
		return "one node for each cell", err
	}
	r.Cell = encode.VarCell(f.n, bound.Cell).String()
	return "a queen on " + r.Cell, err
}
