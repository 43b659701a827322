package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"queens/board"
	"queens/encode"
	"queens/encode/csplib"
	"queens/order"
)

// boardFlags are the flags that describe the board.
type boardFlags struct {
	n            int
	place, block string
	diagonals    string // a file in the format of CSPLib prob079
	exclude      int    // number of its diagonals to exclude; -1 for all
}

func (f *boardFlags) register(cmd *cobra.Command) {
	cmd.Flags().IntVarP(&f.n, "size", "n", 0, "board size, 1 or more (required)")
	cmd.Flags().StringVar(&f.place, "place", "", "cells with queens, comma-separated, as in a1,c2")
	cmd.Flags().StringVar(&f.block, "block", "", "cells that stay empty, comma-separated")
	cmd.Flags().StringVar(&f.diagonals, "diagonals", "",
		"file with diagonals that stay empty, in the format of CSPLib prob079; makes -n optional")
	cmd.Flags().IntVar(&f.exclude, "exclude", -1,
		"number of diagonals, from the first in the file, that stay empty (default all)")
	cmd.Flags().Lookup("exclude").DefValue = "0" // so -1 is not shown
}

// problem returns the problem that the flags describe.
func (f *boardFlags) problem() (encode.Problem, error) {
	placed, blocked, err := f.cells(encode.MaxN)
	if err != nil {
		return encode.Problem{}, err
	}
	p, err := encode.Queens(f.n, placed, blocked)
	return p, exit(badInput, err)
}

// cells returns the placed and blocked cells of a board of size up to maxN, without
// encoding the problem.
func (f *boardFlags) cells(maxN int) (placed, blocked []board.Cell, err error) {
	excluded, err := f.excluded()
	if err != nil {
		return nil, nil, exit(badInput, err)
	}
	if f.n == 0 {
		return nil, nil, invalid("flag -n: expected the board size, 1 or more")
	}
	if f.n < 1 || f.n > maxN {
		return nil, nil, invalid("flag -n %d: expected a board size from 1 to %d", f.n, maxN)
	}
	if placed, err = board.ParseCells(f.n, f.place); err != nil {
		return nil, nil, invalid("flag --place: %w", err)
	}
	if blocked, err = board.ParseCells(f.n, f.block); err != nil {
		return nil, nil, invalid("flag --block: %w", err)
	}
	for _, c := range excluded { // may also be blocked by name
		if !slices.Contains(blocked, c) {
			blocked = append(blocked, c)
		}
	}
	return placed, blocked, nil
}

// excluded reads the file of diagonals and returns the cells of the excluded ones. The
// file's board size is the default for -n.
func (f *boardFlags) excluded() ([]board.Cell, error) {
	if f.diagonals == "" {
		if f.exclude >= 0 {
			return nil, errors.New("flag --exclude: expected --diagonals FILE as well")
		}
		return nil, nil
	}
	file, err := openFile(f.diagonals)
	if err != nil {
		return nil, fmt.Errorf("flag --diagonals: %w", err)
	}
	defer file.Close()
	in, err := csplib.Read(file, f.diagonals)
	if err != nil {
		return nil, err
	}
	if f.n != 0 && f.n != in.N {
		return nil, fmt.Errorf("flag -n %d: %s is for a board of size %d", f.n, f.diagonals, in.N)
	}
	f.n = in.N
	count := f.exclude
	if count < -1 {
		return nil, fmt.Errorf("flag --exclude %d: expected 0 or more", count)
	}
	if count < 0 {
		count = len(in.Diagonals)
	}
	cells, err := in.Blocked(count)
	if err != nil {
		return nil, fmt.Errorf("flag --exclude %d: %s: %w", f.exclude, f.diagonals, err)
	}
	return cells, nil
}

func namedOrders() choices {
	return describe(order.All(), func(o order.Named) (string, string) { return o.Name, o.Reason })
}

// completeOrders completes the names of variable orders, and file:PATH.
func completeOrders(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return append(namedOrders(), "file:"), cobra.ShellCompDirectiveNoSpace
}
