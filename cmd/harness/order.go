package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"runtime"

	"github.com/spf13/cobra"

	"queens/backends/diagram"
	"queens/board"
	"queens/encode"
	"queens/lab"
	"queens/order"
	"queens/order/search"
)

func newOrder() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "order",
		Short: "Show variable orders, search for better ones, prove the best by whole rows",
	}
	cmd.AddCommand(newOrderList())
	for _, working := range []*cobra.Command{
		newOrderShow(), newOrderSearch(), newOrderRows(),
	} {
		cmd.AddCommand(bounded(working))
	}
	return cmd
}

func newOrderList() *cobra.Command {
	var n int
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the named variable orders, with a picture of each",
		Args:  args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if n < 1 || n > encode.MaxN {
				return invalid("flag -n %d: expected a board size from 1 to %d", n, encode.MaxN)
			}
			type listed struct {
				Name   string   `json:"name"`
				Reason string   `json:"reason"`
				Order  []string `json:"order"`
			}
			var list []listed
			for _, o := range order.All() {
				list = append(list, listed{o.Name, o.Reason, lab.Names(o.Of(n).Cells(n))})
			}
			return show(cmd, map[string]any{"n": n, "orders": list}, func(w io.Writer) error {
				for _, o := range order.All() {
					drawing := fitting(w, o.Of(n).Draw(n))
					if _, err := fmt.Fprintf(w, "%s: %s\n%s\n", o.Name, o.Reason, drawing); err != nil {
						return err
					}
				}
				_, err := fmt.Fprintln(w, "force and random accept any seed after the colon.")
				return err
			})
		},
	}
	cmd.Flags().IntVarP(&n, "size", "n", 4, "board size of the pictures")
	addJSON(cmd)
	return cmd
}

func newOrderShow() *cobra.Command {
	var (
		n     int
		flags choiceFlags
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
			o, err := flags.ofBoard(n)
			if err != nil {
				return err
			}
			bdd, zdd := make([]int, n*n), make([]int, n*n)
			s.Widths(o, bdd, zdd)
			sizes, levels := s.Sizes(o), o.Levels()
			return show(cmd, map[string]any{
				"n": n, "name": flags.Order, "order": lab.Names(o.Cells(n)),
				"bdd_nodes": sizes.BDD, "zdd_nodes": sizes.ZDD, "bdd_widths": bdd, "zdd_widths": zdd,
			}, func(w io.Writer) error {
				widths := board.Draw(n, func(c board.Cell) string { return fmt.Sprint(bdd[levels[c.Index(n)]]) })
				_, err := fmt.Fprintf(w, "%s\nLevels, from 0 at the top:\n%s\nNodes of the ROBDD at each level:\n%s\n"+
					"%d nodes as ROBDD, %d as ZDD (terminals not counted)\n",
					flags.Order, fitting(w, o.Draw(n)), fitting(w, widths), sizes.BDD, sizes.ZDD)
				return err
			})
		},
	}
	cmd.Flags().IntVarP(&n, "size", "n", 0, fmt.Sprintf("board size, 1 to %d (required)", mostListed))
	flags.Order = "row-major"
	flags.register(cmd, 0, "order")
	addJSON(cmd)
	return cmd
}

// mostListed is the largest board whose solutions are listed to compute the sizes of an
// order: there are 365,596 of them, and six times as many on the next board.
const mostListed = 14

// orderSizer lists the solutions of an empty board and returns the sizer of its orders.
func orderSizer(ctx context.Context, n int) (*search.Sizer, error) {
	if n < 1 || n > mostListed {
		return nil, invalid("flag -n %d: expected 1 to %d, since all solutions are listed", n, mostListed)
	}
	p, err := encode.Queens(n, nil, nil)
	if err != nil {
		return nil, exit(badInput, err)
	}
	return search.Of(ctx, p)
}

// sizing holds the flags of the commands that look for the smallest diagram over a board's
// orders.
type sizing struct {
	n       int
	diagram string
	workers int
	output  string
}

func (f *sizing) register(cmd *cobra.Command, size, diagram string) {
	cmd.Flags().IntVarP(&f.n, "size", "n", 0, "board size"+size+" (required)")
	cmd.Flags().StringVar(&f.diagram, "diagram", "bdd", "kind of diagram"+diagram+": bdd or zdd")
	f.workers = 1 // for commands without the flag
	addJSON(cmd)
}

func (f *sizing) registerWorkers(cmd *cobra.Command, usage string) {
	cmd.Flags().IntVar(&f.workers, "workers", runtime.GOMAXPROCS(0), usage)
}

func (f *sizing) registerOutput(cmd *cobra.Command, what string) {
	cmd.Flags().StringVarP(&f.output, "output", "o", "", "write "+what+" to this file")
}

// check checks the flags; what is the reason for the limits on the board size.
func (f *sizing) check(least, most int, what string) (diagram.Kind, error) {
	d, err := diagram.ParseKind(f.diagram)
	switch {
	case err != nil:
		return d, invalid("flag --diagram: %w", err)
	case f.n < least || f.n > most:
		return d, invalid("flag -n %d: expected %d to %d%s", f.n, least, most, what)
	case f.workers < 1:
		return d, invalid("flag --workers %d: expected 1 or more", f.workers)
	}
	return d, exit(badInput, writable(f.output))
}

// keep returns an order's canonical image, and writes it to the file of -o, atomically, with
// a comment about its diagram and how it was found.
func (f *sizing) keep(o order.Order, nodes int, how string) (order.Order, error) {
	o = search.Canonical(f.n, o)
	if f.output == "" {
		return o, nil
	}
	return o, writeOutput("-o", f.output, nil, func(w io.Writer) error {
		if _, err := fmt.Fprintf(w, "# n = %d, %s of %d nodes%s\n", f.n, f.diagram, nodes, how); err != nil {
			return err
		}
		return o.Write(w, encode.Cells(f.n), f.n)
	})
}

// show prints an order with its diagram's size: as JSON with more fields, or as a picture
// and a text that continues the sentence about the size.
func (f *sizing) show(cmd *cobra.Command, o order.Order, nodes int, more map[string]any, text string) error {
	report := map[string]any{"n": f.n, "diagram": f.diagram, "nodes": nodes, "order": lab.Names(o.Cells(f.n))}
	maps.Copy(report, more)
	return show(cmd, report, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "Levels, from 0 at the top:\n%s\nn = %d: %s of %d nodes, %s\n",
			fitting(w, o.Draw(f.n)), f.n, f.diagram, nodes, text)
		return err
	})
}

// rowMajor returns the nodes of the diagram in row-major order.
func rowMajor(s *search.Sizer, n int, d diagram.Kind) int {
	return s.Sizes(order.FromCells(n, board.NewPosition(n, nil, nil).Cells())).Of(d)
}
