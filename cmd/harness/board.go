package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
	"queens/encode/csplib"
	"queens/order"
)

// boardFlags are the flags that say which board a command is about.
type boardFlags struct {
	n            int
	place, block string
	diagonals    string // a file of CSPLib prob079
	exclude      int    // how many of its diagonals; -1 for all
}

func (f *boardFlags) register(cmd *cobra.Command) {
	cmd.Flags().IntVarP(&f.n, "size", "n", 0, "board size, 1 or more (required)")
	cmd.Flags().StringVar(&f.place, "place", "", "cells with queens, comma-separated, as in a1,c2")
	cmd.Flags().StringVar(&f.block, "block", "", "cells that stay empty, comma-separated")
	cmd.Flags().StringVar(&f.diagonals, "diagonals", "", "file with diagonals that stay empty, as in CSPLib prob079; -n may then be left out")
	cmd.Flags().IntVar(&f.exclude, "exclude", -1, "how many of the file's diagonals stay empty, from its first (default all)")
}

// problem reads the flags.
func (f *boardFlags) problem() (encode.Problem, error) {
	placed, blocked, err := f.cells(encode.MaxN)
	if err != nil {
		return encode.Problem{}, err
	}
	p, err := encode.Queens(f.n, placed, blocked)
	return p, exit(badInput, err)
}

// cells reads the flags of a board that nothing is encoded for, of size up to
// maxN.
func (f *boardFlags) cells(maxN int) (placed, blocked []board.Cell, err error) {
	excluded, err := f.excluded()
	if err != nil {
		return nil, nil, exit(badInput, err)
	}
	if f.n == 0 {
		return nil, nil, exit(badInput, errors.New("flag -n: expected the board size, 1 or more"))
	}
	if f.n < 1 || f.n > maxN {
		return nil, nil, exit(badInput, fmt.Errorf("flag -n %d: expected a board size from 1 to %d", f.n, maxN))
	}
	if placed, err = board.ParseCells(f.n, f.place); err != nil {
		return nil, nil, exit(badInput, fmt.Errorf("flag --place: %w", err))
	}
	if blocked, err = board.ParseCells(f.n, f.block); err != nil {
		return nil, nil, exit(badInput, fmt.Errorf("flag --block: %w", err))
	}
	for _, c := range excluded { // maybe blocked by name too
		if !slices.Contains(blocked, c) {
			blocked = append(blocked, c)
		}
	}
	return placed, blocked, nil
}

// excluded reads the file of diagonals and returns the cells of those to exclude.
// The file's board size is the default for -n.
func (f *boardFlags) excluded() ([]board.Cell, error) {
	if f.diagonals == "" {
		if f.exclude >= 0 {
			return nil, errors.New("flag --exclude: expected --diagonals FILE too")
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
		return nil, fmt.Errorf("flag -n %d: %s is about a board of size %d", f.n, f.diagonals, in.N)
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

// orderFlags are the flags that say which variable order a command uses.
type orderFlags struct{ name, file string }

func (f *orderFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.name, "order", "", "variable order: a name of harness order list, or file:PATH (default row-major; of a CNF, the file's own or natural)")
	cmd.Flags().StringVar(&f.file, "order-file", "", "file with the variable order: the names of all variables, top level first")
	cmd.MarkFlagsMutuallyExclusive("order", "order-file")
	must(cmd.RegisterFlagCompletionFunc("order", completeOrders))
}

// completeOrders completes the names of variable orders.
func completeOrders(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var names []cobra.Completion
	for _, o := range order.All() {
		names = append(names, cobra.CompletionWithDesc(o.Name, o.Reason))
	}
	return append(names, "file:"), cobra.ShellCompDirectiveNoSpace
}

// order reads the flags for a problem; own is the order that the problem came with,
// if it came with one. name is what to call the order in output.
func (f *orderFlags) order(p encode.Problem, own []cnf.Var) (o order.Order, name string, err error) {
	flag, path, isFile := "order", "", false
	if path, isFile = strings.CutPrefix(f.name, "file:"); f.file != "" {
		flag, path, isFile = "order-file", f.file, true
	}
	if isFile {
		o, err := readOrder(flag, path, p.Names)
		return o, path, err
	}
	name = f.name
	switch {
	case name == "" && own != nil:
		return own, "the file's", nil
	case name == "" && p.Place == nil:
		name = "natural"
	case name == "":
		name = "row-major"
	}
	one, err := order.ByName(name)
	if err != nil {
		var names []string
		for _, o := range order.All() {
			names = append(names, o.Name)
		}
		return nil, "", named("order", name, names, err)
	}
	if o, err = one.For(p); err != nil {
		return nil, "", exit(badInput, fmt.Errorf("flag --order: %w", err))
	}
	return o, name, nil
}

// ofBoard reads the flags for an empty board of queens.
func (f *orderFlags) ofBoard(n int) (o order.Order, name string, err error) {
	p, err := encode.Queens(n, nil, nil)
	if err != nil {
		return nil, "", exit(badInput, err)
	}
	return f.order(p, nil)
}

// readOrder reads the order file that a flag names.
func readOrder(flag, path string, names encode.Names) (order.Order, error) {
	file, err := openFile(path)
	if err != nil {
		return nil, exit(badInput, fmt.Errorf("flag --%s: %w", flag, err))
	}
	defer file.Close()
	o, err := order.Read(file, path, names)
	return o, exit(badInput, err)
}

// cellNames writes cells for JSON: never null.
func cellNames(cells []board.Cell) []string {
	names := make([]string, len(cells))
	for i, c := range cells {
		names[i] = c.String()
	}
	return names
}
