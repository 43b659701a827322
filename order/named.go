package order

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
)

// Named is an order that exists for problems of every size. It depends either on the cells on which the
// variables lie, or only on the constraints.
type Named struct {
	Name   string
	Reason string // why anyone would try it, in one line
	// One of the two is set: cells for an order of the cells of any board, variables for an order of any
	// problem.
	cells     func(n int) []board.Cell
	variables func(ctx context.Context, p encode.Problem) (Order, error)
	queens    bool // made for queens, so not offered for other families
}

// Of returns the order for N-queens on a board of size n.
func (o Named) Of(n int) Order {
	if o.cells != nil {
		return FromCells(n, o.cells(n))
	}
	p, err := encode.Queens(n, nil, nil)
	if err != nil {
		panic(err) // a named order exists for every board size
	}
	made, _ := o.variables(context.Background(), p) // only the context's end is an error
	return made
}

// Takes returns an error if the order needs cells and the problem has none, or if the order was made for
// queens and the problem is another.
func (o Named) Takes(p encode.Problem) error {
	switch {
	case o.variables != nil:
	case o.queens && !p.IsQueens():
		return fmt.Errorf("variable order %s is for queens, not for %s", o.Name, p)
	case p.Place == nil:
		return fmt.Errorf(
			"variable order %s goes by cells, but %s has none; expected natural, force, force:SEED, min-fill, estimate, random:SEED or a file",
			o.Name, p)
	}
	return nil
}

// For returns the order for a problem; its errors are those of Takes and of the context. Variables on the same
// cell are ordered by number.
func (o Named) For(ctx context.Context, p encode.Problem) (Order, error) {
	if err := o.Takes(p); err != nil {
		return nil, err
	}
	switch {
	case o.variables != nil:
		return o.variables(ctx, p)
	case p.IsBoard():
		return FromCells(p.N, o.cells(p.N)), nil
	}
	rank := make([]int, p.N*p.N)
	for i, c := range o.cells(p.N) {
		rank[c.Index(p.N)] = i
	}
	vars := ByNumber(p)
	slices.SortStableFunc(vars, func(a, b cnf.Var) int {
		return cmp.Compare(rank[p.Place(a).Index(p.N)], rank[p.Place(b).Index(p.N)])
	})
	return vars, nil
}

// key is a sort key for cells, compared number by number.
type key [4]int

// sorted returns a function that lists the cells of a board in order of their
// keys.
func sorted(of func(n int, c board.Cell) key) func(n int) []board.Cell {
	return func(n int) []board.Cell {
		cells := make([]board.Cell, n*n)
		for i := range cells {
			cells[i] = board.At(n, i)
		}
		slices.SortStableFunc(cells, func(a, b board.Cell) int {
			ka, kb := of(n, a), of(n, b)
			return slices.Compare(ka[:], kb[:])
		})
		return cells
	}
}

func abs(x int) int { return max(x, -x) }
