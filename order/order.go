package order

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
)

// Order is a permutation of the variables of a board's cells, 1..n*n, top level
// first.
type Order []cnf.Var

// FromCells turns cells into the order of their variables, unchecked.
func FromCells(n int, cells []board.Cell) Order {
	o := make(Order, len(cells))
	for i, c := range cells {
		o[i] = encode.CellVar(n, c)
	}
	return o
}

// Cells is the inverse of [FromCells].
func (o Order) Cells(n int) []board.Cell {
	cells := make([]board.Cell, len(o))
	for i, v := range o {
		cells[i] = encode.VarCell(n, v)
	}
	return cells
}

// Check reports what keeps o from being an order of a board of size n.
func (o Order) Check(n int) error {
	if err := board.CheckCells(n, o.Cells(n)); err != nil {
		return err
	}
	if len(o) != n*n {
		return fmt.Errorf("%d cells, but a board of size %d has %d", len(o), n, n*n)
	}
	return nil
}

// Levels is the inverse permutation: Levels()[v-1] is the level of variable v,
// counted from 0 at the top.
func (o Order) Levels() []int {
	levels := make([]int, len(o))
	for level, v := range o {
		levels[v-1] = level
	}
	return levels
}

// Draw shows the level of each cell on the board.
func (o Order) Draw(n int) string {
	levels := o.Levels()
	return board.Draw(n, func(c board.Cell) string { return fmt.Sprint(levels[c.Index(n)]) })
}

// Read reads an order file: the n*n cells of a board of size n, top level
// first, one a line or separated by white space; the rest of a line after # is
// skipped. Errors name the place as file:line:column.
func Read(r io.Reader, file string, n int) (Order, error) {
	var o Order
	first := make(map[cnf.Var]int) // variable -> line
	scan := bufio.NewScanner(r)
	line := 0
	for scan.Scan() {
		line++
		text, _, _ := strings.Cut(scan.Text(), "#")
		rest := text
		for {
			rest = strings.TrimLeft(rest, " \t\r,")
			if rest == "" {
				break
			}
			column := len(text) - len(rest) + 1
			word := rest
			if end := strings.IndexAny(rest, " \t\r,"); end >= 0 {
				word = rest[:end]
			}
			rest = rest[len(word):]
			c, err := board.ParseCell(word)
			if err == nil {
				err = board.CheckCells(n, []board.Cell{c})
			}
			if err != nil {
				return nil, fmt.Errorf("%s:%d:%d: %w", file, line, column, err)
			}
			v := encode.CellVar(n, c)
			if before, twice := first[v]; twice {
				return nil, fmt.Errorf("%s:%d:%d: cell %s is given twice, first in line %d", file, line, column, c, before)
			}
			first[v] = line
			o = append(o, v)
		}
	}
	if err := scan.Err(); err != nil {
		return nil, fmt.Errorf("reading order file %s: %w", file, err)
	}
	if len(o) != n*n {
		return nil, fmt.Errorf("%s:%d: the file ends after %d cells; a board of size %d has %d", file, max(line, 1), len(o), n, n*n)
	}
	return o, nil
}

// Write writes the order as [Read] reads it, one row of n cells a line.
func (o Order) Write(w io.Writer, n int) error {
	b := bufio.NewWriter(w)
	for i, c := range o.Cells(n) {
		end := " "
		if (i+1)%n == 0 {
			end = "\n"
		}
		fmt.Fprint(b, c, end)
	}
	return b.Flush()
}
