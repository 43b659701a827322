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
	"queens/configure/lesson"
	"queens/encode"
	"queens/order"
	"queens/order/optimize"
	"queens/robdd"
)

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
	b.Order, b.Diagram = ask.RowMajor, ask.ROBDD
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
func (b *boardOrder) save(ctx context.Context, c console, o order.Order, nodes int, how string) error {
	if c.file == "" {
		return nil
	}
	return c.write(ctx, func(w io.Writer) error {
		if _, err := fmt.Fprintf(w, "# n = %d, %s of %d nodes%s\n", b.N, b.Diagram, nodes, how); err != nil {
			return err
		}
		return o.Write(w, encode.Cells(b.N), b.N)
	})
}

// held returns the diagram size for the order in a file, 0 if the file has no order of this board.
// there reports whether the name is that of an existing regular file, or standard output. The error is bad input: the file cannot
// be written.
func (b *boardOrder) held(file string, s *optimize.Sizer) (nodes int, there bool, err error) {
	if file == "-" {
		return 0, true, nil
	}
	if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() {
		return 0, false, nil
	}
	opened, err := os.OpenFile(file, os.O_RDWR, 0)
	if err != nil {
		return 0, true, invalid("flag -o: %w", err)
	}
	defer opened.Close()
	o, err := order.Read(opened, file, encode.Cells(b.N))
	if err != nil {
		return 0, true, nil
	}
	return s.Sizes(o).Of(b.kind), true, nil
}

// show prints an order with its diagram's size: as JSON with the fields of more, or as a picture, with text
// completing the sentence about the size.
func (b *boardOrder) show(
	ctx context.Context, c console, o order.Order, nodes int, more map[string]any, text string,
) error {
	report := map[string]any{"n": b.N, "diagram": b.Diagram, "nodes": nodes, "cells": lesson.Names(o.Cells(b.N))}
	maps.Copy(report, more)
	return c.show(ctx, report, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "Levels, from 0 at the top:\n%s\nn = %d: %s of %d nodes, %s\n",
			fitWidth(w, o.Draw(b.N)), b.N, b.Diagram, nodes, text)
		return err
	})
}
