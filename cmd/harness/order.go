package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"runtime"

	"github.com/spf13/cobra"

	"queens/ask"
	"queens/board"
	"queens/configure/lesson"
	"queens/encode"
	"queens/order"
	"queens/order/optimize"
	"queens/robdd"
)

func newOrder() *cobra.Command {
	return group("order", "Show variable orders, search for better ones, check records",
		newOrderList(), newOrderShow(), newOrderSearch(), newOrderCheck())
}

func newOrderList() *cobra.Command {
	var n int
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the named variable orders, with a picture of each",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if n < 1 || n > encode.MaxN {
				return invalid("flag -n %d: expected a board size from 1 to %d", n, encode.MaxN)
			}
			w := cmd.OutOrStdout()
			for _, o := range order.All() {
				fmt.Fprintf(w, "%s: %s\n%s\n", o.Name, o.Reason, fitWidth(w, o.Of(n).Draw(n)))
			}
			_, err := fmt.Fprintln(w, "force and random accept any seed after the colon.")
			return err
		},
	}
	cmd.Flags().IntVarP(&n, "size", "n", 4, "board size of the pictures")
	return cmd
}

func newOrderShow() *cobra.Command {
	var b boardOrder
	cmd := &cobra.Command{
		Use:   "show -n N",
		Short: "Show one order: its picture, and the nodes at each level of both diagrams",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := b.open(cmd.Context())
			if err != nil {
				return err
			}
			o, n := b.start, b.N
			bdd, zdd := s.Widths(o)
			sizes, levels := s.Sizes(o), o.Levels()
			return show(cmd, map[string]any{
				"n": n, "order": b.Order, "cells": lesson.Names(o.Cells(n)),
				"bdd_nodes": sizes.BDD, "zdd_nodes": sizes.ZDD, "bdd_widths": bdd, "zdd_widths": zdd,
			}, func(w io.Writer) error {
				widths := board.Draw(n, func(c board.Cell) string { return fmt.Sprint(bdd[levels[c.Index(n)]]) })
				_, err := fmt.Fprintf(w, "%s\nLevels, from 0 at the top:\n%s\nNodes of the ROBDD at each level:\n%s\n"+
					"%d nodes as ROBDD, %d as ZDD (terminals not counted)\n",
					b.Order, fitWidth(w, o.Draw(n)), fitWidth(w, widths), sizes.BDD, sizes.ZDD)
				return err
			})
		},
	}
	b.register(cmd, "order")
	return cmd
}

// boardOrder is shared by the commands about orders of an empty board: their flags, the kind of diagram, and
// the start order.
type boardOrder struct {
	flags
	kind  robdd.Kind
	start order.Order // the order of --order
}

// register adds -n and the flags for the named fields of a choice.
func (b *boardOrder) register(cmd *cobra.Command, fields ...string) {
	cmd.Flags().IntVarP(&b.N, "size", "n", 0, fmt.Sprintf("board size, 1 to %d (required)", optimize.MostListed))
	b.Order, b.Diagram = "row-major", "bdd"
	b.registerChoice(cmd, 0, fields...)
	addJSON(cmd)
}

// open checks the flags and lists the board's solutions.
func (b *boardOrder) open(ctx context.Context) (s *optimize.Sizer, err error) {
	if b.N == 0 {
		return nil, invalid("flag -n: expected the size of the board, 1 to %d", optimize.MostListed)
	}
	if b.N < 1 || b.N > optimize.MostListed {
		return nil, invalid("flag -n %d: expected 1 to %d, since all solutions are listed", b.N, optimize.MostListed)
	}
	if err := b.Check(); err != nil {
		return nil, flagged(err)
	}
	b.Workers = cmp.Or(b.Workers, runtime.GOMAXPROCS(0))
	if b.kind, err = robdd.ParseKind(string(b.Diagram)); err != nil {
		return nil, err
	}
	p, err := encode.Queens(b.N, nil, nil)
	if err != nil {
		return nil, err
	}
	own, err := b.Order.Read(p.Names)
	if err == nil {
		b.start, _, err = b.Order.For(ctx, p, own)
	}
	if err != nil {
		return nil, flagged(err)
	}
	return ask.Sizer(ctx, b.N)
}

// save writes an order to the file of -o, if -o is given, with a comment about its diagram's size and how it
// was found.
func (b *boardOrder) save(cmd *cobra.Command, o order.Order, nodes int, how string) error {
	if !cmd.Flags().Changed("output") {
		return nil
	}
	return write(cmd, func(w io.Writer) error {
		if _, err := fmt.Fprintf(w, "# n = %d, %s of %d nodes%s\n", b.N, b.Diagram, nodes, how); err != nil {
			return err
		}
		return o.Write(w, encode.Cells(b.N), b.N)
	})
}

// held returns the diagram size for the order in the file of -o, 0 if the file has no order of this board.
// there reports whether it is an existing regular file. The error is bad input: the file cannot be written.
func (b *boardOrder) held(cmd *cobra.Command, s *optimize.Sizer) (nodes int, there bool, err error) {
	name, _ := cmd.Flags().GetString("output")
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return 0, false, nil
	}
	file, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return 0, true, invalid("flag -o: %w", err)
	}
	defer file.Close()
	o, err := order.Read(file, name, encode.Cells(b.N))
	if err != nil {
		return 0, true, nil
	}
	return s.Sizes(o).Of(b.kind), true, nil
}

// show prints an order with its diagram's size: as JSON with the fields of more, or as a picture, with text
// completing the sentence about the size.
func (b *boardOrder) show(cmd *cobra.Command, o order.Order, nodes int, more map[string]any, text string) error {
	report := map[string]any{"n": b.N, "diagram": b.Diagram, "nodes": nodes, "cells": lesson.Names(o.Cells(b.N))}
	maps.Copy(report, more)
	return show(cmd, report, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "Levels, from 0 at the top:\n%s\nn = %d: %s of %d nodes, %s\n",
			fitWidth(w, o.Draw(b.N)), b.N, b.Diagram, nodes, text)
		return err
	})
}
