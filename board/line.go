package board

import "strconv"

// LineKind is the direction of a line.
type LineKind uint8

const (
	Row          LineKind = iota // all cells of one row
	Column                       // all cells of one column
	Diagonal                     // row - column constant: runs up to the right (a1 to h8)
	AntiDiagonal                 // row + column constant: runs down to the right (a8 to h1)
)

// String names the kind in lower case.
func (k LineKind) String() string {
	return [...]string{"row", "column", "diagonal", "anti-diagonal"}[k]
}

// Line is one row, column or diagonal of a board of some size n. Index is the
// row for a Row, the column for a Column, row-column+n-1 for a Diagonal and
// row+column for an AntiDiagonal, so diagonals count from 0 to 2n-2, as in
// CSPLib's prob079.
type Line struct {
	Kind  LineKind
	Index int
}

// Lines returns every line of a board of size n: rows, columns, diagonals,
// anti-diagonals, each in order of index; 6n-2 in all, with the diagonals of
// one cell.
func Lines(n int) []Line {
	lines := make([]Line, 0, 6*n-2)
	for _, kind := range []LineKind{Row, Column, Diagonal, AntiDiagonal} {
		count := n
		if kind >= Diagonal {
			count = 2*n - 1
		}
		for i := range count {
			lines = append(lines, Line{kind, i})
		}
	}
	return lines
}

// Lines returns the four lines through the cell, one of each kind.
func (c Cell) Lines(n int) [4]Line {
	return [4]Line{
		{Row, c.Row},
		{Column, c.Col},
		{Diagonal, c.Row - c.Col + n - 1},
		{AntiDiagonal, c.Row + c.Col},
	}
}

// Len returns the number of cells of the line on a board of size n.
func (l Line) Len(n int) int {
	if l.Kind < Diagonal {
		return n
	}
	return n - max(l.Index-(n-1), n-1-l.Index)
}

// At returns cell i of the line, 0 <= i < Len, on a board of size n. Cells are in
// order of rows, and within a row in order of columns.
func (l Line) At(n, i int) Cell {
	switch l.Kind {
	case Row:
		return Cell{l.Index, i}
	case Column:
		return Cell{i, l.Index}
	case Diagonal:
		shift := l.Index - (n - 1) // row = col + shift
		row := max(0, shift) + i
		return Cell{row, row - shift}
	}
	row := max(0, l.Index-(n-1)) + i
	return Cell{row, l.Index - row}
}

// Cells returns the line's cells on a board of size n, in the order of [Line.At].
func (l Line) Cells(n int) []Cell {
	cells := make([]Cell, l.Len(n))
	for i := range cells {
		cells[i] = l.At(n, i)
	}
	return cells
}

// Name returns the line's name for people, on a board of size n: "row 3",
// "column c", "diagonal a2-b3", "anti-diagonal a3-c1".
func (l Line) Name(n int) string {
	switch l.Kind {
	case Row:
		return "row " + strconv.Itoa(l.Index+1)
	case Column:
		return "column " + File(l.Index)
	}
	first, last := l.At(n, 0), l.At(n, l.Len(n)-1)
	if l.Kind == AntiDiagonal { // from the left
		first, last = last, first
	}
	if first == last {
		return l.Kind.String() + " " + first.String()
	}
	return l.Kind.String() + " " + first.String() + "-" + last.String()
}
