package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"queens/board"
	"queens/configure/lesson"
)

func newOrderShow() *cobra.Command {
	var b boardOrder
	cmd := &cobra.Command{
		Use:   "show -n N",
		Short: "Show one order: its picture, and the nodes at each level of both diagrams",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return b.showLevels(cmd.Context(), consoleOf(cmd)) },
	}
	b.register(cmd, "order")
	return cmd
}

// showLevels shows the order of --order, and the sizes of both diagrams level by level.
func (b *boardOrder) showLevels(ctx context.Context, c console) error {
	s, err := b.open(ctx)
	if err != nil {
		return err
	}
	o, n := b.start, b.N
	bdd, zdd := s.Widths(o)
	sizes, levels := s.Sizes(o), o.Levels()
	return c.show(ctx, map[string]any{
		"n": n, "order": b.Order, "cells": lesson.Names(o.Cells(n)),
		"bdd_nodes": sizes.BDD, "zdd_nodes": sizes.ZDD, "bdd_widths": bdd, "zdd_widths": zdd,
	}, func(w io.Writer) error {
		widths := board.Draw(n, func(c board.Cell) string { return fmt.Sprint(bdd[levels[c.Index(n)]]) })
		_, err := fmt.Fprintf(w, "%s\nLevels, from 0 at the top:\n%s\nNodes of the ROBDD at each level:\n%s\n"+
			"%d nodes as ROBDD, %d as ZDD (terminals not counted)\n",
			b.Order, fitWidth(w, o.Draw(n)), fitWidth(w, widths), sizes.BDD, sizes.ZDD)
		return err
	})
}
