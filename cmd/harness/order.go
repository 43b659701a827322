package main

import (
	"cmp"
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
	cmd.AddCommand(newOrderList(), newOrderShow(), newOrderSearch(), newOrderRows())
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
	var f boardOrder
	cmd := &cobra.Command{
		Use:   "show -n N",
		Short: "Show one order: its picture, and the nodes at each level of both diagrams",
		Args:  args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := f.open(cmd.Context(), search.MostListed, ", since all solutions are listed")
			if err != nil {
				return err
			}
			o, n := f.start, f.n
			bdd, zdd := s.Widths(o)
			sizes, levels := s.Sizes(o), o.Levels()
			return show(cmd, map[string]any{
				"n": n, "name": f.Order, "order": lab.Names(o.Cells(n)),
				"bdd_nodes": sizes.BDD, "zdd_nodes": sizes.ZDD, "bdd_widths": bdd, "zdd_widths": zdd,
			}, func(w io.Writer) error {
				widths := board.Draw(n, func(c board.Cell) string { return fmt.Sprint(bdd[levels[c.Index(n)]]) })
				_, err := fmt.Fprintf(w, "%s\nLevels, from 0 at the top:\n%s\nNodes of the ROBDD at each level:\n%s\n"+
					"%d nodes as ROBDD, %d as ZDD (terminals not counted)\n",
					f.Order, fitting(w, o.Draw(n)), fitting(w, widths), sizes.BDD, sizes.ZDD)
				return err
			})
		},
	}
	f.register(cmd, "order")
	return cmd
}

// boardOrder is what the commands about the orders of an empty board have in common: flags, the
// board's solutions, and an order to begin with or found.
type boardOrder struct {
	choiceFlags
	n      int
	output string

	kind  diagram.Kind
	start order.Order // the one of --order
}

// register registers -n and the flags for the named fields of a choice.
func (f *boardOrder) register(cmd *cobra.Command, fields ...string) {
	cmd.Flags().IntVarP(&f.n, "size", "n", 0, fmt.Sprintf("board size, 1 to %d (required)", search.MostListed))
	f.Order, f.Diagram = "row-major", "bdd"
	f.choiceFlags.register(cmd, 0, fields...)
	addJSON(cmd)
}

// registerOutput registers -o.
func (f *boardOrder) registerOutput(cmd *cobra.Command, what string) {
	cmd.Flags().StringVarP(&f.output, "output", "o", "", "write "+what+" to this file")
}

// open checks the flags and lists the board's solutions; why says what limits the board's size.
func (f *boardOrder) open(ctx context.Context, most int, why string) (s *search.Sizer, err error) {
	if f.n < 1 || f.n > most {
		return nil, invalid("flag -n %d: expected 1 to %d%s", f.n, most, why)
	}
	if err := f.Check(); err != nil {
		return nil, f.flagged(err)
	}
	f.Workers = cmp.Or(f.Workers, runtime.GOMAXPROCS(0))
	if f.kind, err = diagram.ParseKind(string(f.Diagram)); err != nil {
		return nil, err
	}
	if f.start, err = f.Order.OfBoard(f.n); err != nil {
		return nil, f.flagged(err)
	}
	if f.output != "" {
		if _, _, err := outputTarget("-o", f.output); err != nil {
			return nil, err
		}
	}
	return search.Board(ctx, f.n)
}

// keep returns an order's canonical image, and writes it to the file of -o, atomically, with
// a comment about its diagram and how it was found.
func (f *boardOrder) keep(o order.Order, nodes int, how string) (order.Order, error) {
	o = search.Canonical(f.n, o)
	if f.output == "" {
		return o, nil
	}
	return o, writeOutput("-o", f.output, nil, func(w io.Writer) error {
		if _, err := fmt.Fprintf(w, "# n = %d, %s of %d nodes%s\n", f.n, f.Diagram, nodes, how); err != nil {
			return err
		}
		return o.Write(w, encode.Cells(f.n), f.n)
	})
}

// show prints an order with its diagram's size: as JSON with more fields, or as a picture
// and a text that continues the sentence about the size.
func (f *boardOrder) show(cmd *cobra.Command, o order.Order, nodes int, more map[string]any, text string) error {
	report := map[string]any{"n": f.n, "diagram": f.Diagram, "nodes": nodes, "order": lab.Names(o.Cells(f.n))}
	maps.Copy(report, more)
	return show(cmd, report, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "Levels, from 0 at the top:\n%s\nn = %d: %s of %d nodes, %s\n",
			fitting(w, o.Draw(f.n)), f.n, f.Diagram, nodes, text)
		return err
	})
}
