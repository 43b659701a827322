package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"queens/board"
	"queens/encode"
	"queens/order"
	"queens/order/search"
)

func newOrder() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "order",
		Short: "Show variable orders, search for better ones, prove the best",
	}
	cmd.AddCommand(newOrderList())
	for _, working := range []*cobra.Command{
		newOrderShow(), newOrderSearch(), newOrderSift(), newOrderProve(), newOrderRows(), newOrderBound(),
	} {
		cmd.AddCommand(bounded(working))
	}
	return cmd
}

func newOrderList() *cobra.Command {
	var (
		n      int
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the named variable orders, with a picture of each",
		Args:  args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if n < 1 || n > encode.MaxN {
				return exit(badInput, fmt.Errorf("flag -n %d: expected a board size from 1 to %d", n, encode.MaxN))
			}
			type listed struct {
				Name   string   `json:"name"`
				Reason string   `json:"reason"`
				Order  []string `json:"order"`
			}
			var list []listed
			for _, o := range order.All() {
				list = append(list, listed{o.Name, o.Reason, cellNames(o.Of(n).Cells(n))})
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), map[string]any{"n": n, "orders": list})
			}
			for _, o := range order.All() {
				drawing := fitting(cmd.OutOrStdout(), o.Of(n).Draw(n))
				if _, err := fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n%s\n", o.Name, o.Reason, drawing); err != nil {
					return err
				}
			}
			_, err := fmt.Fprintln(cmd.OutOrStdout(), "force and random accept any seed after the colon.")
			return err
		},
	}
	cmd.Flags().IntVarP(&n, "size", "n", 4, "board size of the pictures")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// mostListed is the largest board whose solutions are listed to compute the sizes of an
// order: there are 365,596 of them, and six times as many on the next board.
const mostListed = 14

// orderSizer lists the solutions of an empty board and returns the sizer of its orders.
func orderSizer(ctx context.Context, n int) (*search.Sizer, error) {
	if n < 1 || n > mostListed {
		return nil, exit(badInput,
			fmt.Errorf("flag -n %d: expected 1 to %d, since all solutions are listed", n, mostListed))
	}
	p, err := encode.Queens(n, nil, nil)
	if err != nil {
		return nil, exit(badInput, err)
	}
	return search.Of(ctx, p)
}

func newOrderShow() *cobra.Command {
	var (
		n      int
		flags  orderFlags
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "show -n N",
		Short: "Show one order: its picture, and the nodes at each level of both diagrams",
		Args:  args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := orderSizer(cmd.Context(), n)
			if err != nil {
				return err
			}
			o, name, err := flags.ofBoard(n)
			if err != nil {
				return err
			}
			bdd, zdd := make([]int, n*n), make([]int, n*n)
			s.Widths(o, bdd, zdd)
			sizes := s.Sizes(o)
			out := cmd.OutOrStdout()
			if asJSON {
				return printJSON(out, map[string]any{
					"n": n, "name": name, "order": cellNames(o.Cells(n)),
					"bdd_nodes": sizes.BDD, "zdd_nodes": sizes.ZDD, "bdd_widths": bdd, "zdd_widths": zdd,
				})
			}
			fmt.Fprintf(out, "%s\nLevels, from 0 at the top:\n%s\n", name, fitting(out, o.Draw(n)))
			fmt.Fprintf(
				out,
				"Nodes of the ROBDD at each level:\n%s\n",
				fitting(out, board.Draw(n, func(c board.Cell) string {
					return fmt.Sprint(bdd[o.Levels()[c.Index(n)]])
				})),
			)
			_, err = fmt.Fprintf(out, "%d nodes as ROBDD, %d as ZDD (terminals not counted)\n", sizes.BDD, sizes.ZDD)
			return err
		},
	}
	cmd.Flags().IntVarP(&n, "size", "n", 0, fmt.Sprintf("board size, 1 to %d (required)", mostListed))
	flags.register(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// orderReport is the JSON output of order search and order prove.
type orderReport struct {
	N           int      `json:"n"`
	Diagram     string   `json:"diagram"`
	Nodes       int      `json:"nodes"`
	Order       []string `json:"order"`
	Optimal     bool     `json:"optimal"`
	Largest     bool     `json:"largest,omitempty"` // searched for instead of the smallest
	Evaluations int64    `json:"evaluations,omitempty"`
	Seed        *uint64  `json:"seed,omitempty"`
	Ensembles   int      `json:"ensembles,omitempty"`
	Method      string   `json:"method,omitempty"`
	Sets        int      `json:"sets,omitempty"`
	Solved      int      `json:"sets_solved,omitempty"`
	RowMajor    int      `json:"row_major"` // nodes
	Seconds     float64  `json:"seconds"`
}

func (r *orderReport) print(w io.Writer, o order.Order) error {
	proved := "the smallest found"
	switch {
	case r.Largest:
		proved = "the largest found"
	case r.Optimal:
		proved = "the smallest there is, proved"
	}
	fmt.Fprintf(w, "Levels, from 0 at the top:\n%s\n", fitting(w, o.Draw(r.N)))
	fmt.Fprintf(w, "n = %d: %s of %d nodes, %s; row-major has %d\n", r.N, r.Diagram, r.Nodes, proved, r.RowMajor)
	if r.Evaluations > 0 {
		fmt.Fprintf(w, "%d orders evaluated with seed %d in %.3g s\n", r.Evaluations, *r.Seed, r.Seconds)
		return nil
	}
	_, err := fmt.Fprintf(w, "%d sets of variables, %d of them solved, in %.3g s\n", r.Sets, r.Solved, r.Seconds)
	return err
}

// writeOrder writes an order file atomically, with a comment that describes the order.
func writeOrder(file string, n int, o order.Order, what string) error {
	return writeOutput("-o", file, nil, func(w io.Writer) error {
		if _, err := fmt.Fprintf(w, "# %s\n", what); err != nil {
			return err
		}
		return o.Write(w, encode.Cells(n), n)
	})
}
