package order

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
)

// Named is an order that exists for problems of every size. It depends on the
// cells on which the variables lie, or on the constraints alone.
type Named struct {
	Name   string
	Reason string // why anyone would try it, in one line
	// One of the two is set: cells for boards of every size, variables for any
	// problem.
	cells     func(n int) []board.Cell
	variables func(p encode.Problem) Order
	queens    bool // made for queens, so not offered to other families
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
	return o.variables(p)
}

// Takes returns an error if the problem has no geometry that the order needs, or if the order was
// made for queens.
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

// For returns the order for a problem that it takes. Variables on the same cell are ordered by
// number.
func (o Named) For(p encode.Problem) (Order, error) {
	if err := o.Takes(p); err != nil {
		return nil, err
	}
	switch {
	case o.variables != nil:
		return o.variables(p), nil
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

// All returns the named orders. It includes each order with a seed (see
// [ByName]) once, so that a loop over them covers every kind.
func All() []Named {
	return []Named{
		rowMajor,
		columnMajor,
		diagonalInterleaved,
		antiDiagonal,
		diagonalsOutward,
		snake,
		centreRows,
		centreCells,
		rowColumn,
		spiralIn,
		spiralOut,
		hilbert,
		zOrder,
		knightLines,
		natural,
		twoEnded,
		best("bdd", "the smallest ROBDD known: proved for n up to 6, searched for up to 16, two-ended beyond"),
		best("zdd", "the smallest ZDD known: proved for n up to 6, searched for up to 15, two-ended beyond"),
		force("", "natural", ByNumber),
		minFill,
		estimate,
		forceFrom(1),
		random(1),
	}
}

// ByName returns a named order. Two kinds take a seed, a decimal number, after
// a colon: random:SEED and force:SEED. The error lists the valid names.
func ByName(name string) (Named, error) {
	var names []string
	for _, o := range All() {
		if o.Name == name {
			return o, nil
		}
		if !strings.Contains(o.Name, ":") {
			names = append(names, o.Name)
		}
	}
	kind, arg, _ := strings.Cut(name, ":")
	if seeded := map[string]func(uint64) Named{"force": forceFrom, "random": random}[kind]; seeded != nil {
		seed, err := strconv.ParseUint(arg, 10, 64)
		if err != nil {
			return Named{}, fmt.Errorf("variable order %q: expected a seed after a colon, as in %s:1", name, kind)
		}
		return seeded(seed), nil
	}
	return Named{}, fmt.Errorf("variable order %q: expected one of %s, force:SEED, random:SEED",
		name, strings.Join(names, ", "))
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
			return cmp.Or(cmp.Compare(ka[0], kb[0]), cmp.Compare(ka[1], kb[1]), cmp.Compare(ka[2], kb[2]))
		})
		return cells
	}
}

func abs(x int) int { return max(x, -x) }
