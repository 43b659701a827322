package board

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Integer is any integer type that may hold a solution's columns.
type Integer interface {
	~int8 | ~int | ~int32 | ~int64
}

// Verify judges a full board, given as the column of each row's queen. It
// returns nil if the board is a solution of the n-queens problem for n =
// len(cols); otherwise the error names the first queen that is off the board,
// or two that attack each other. It takes O(n) time.
func Verify[T Integer](cols []T) error {
	n := len(cols)
	if n == 0 {
		return fmt.Errorf("a board of size 0 has no solution to judge")
	}
	// By line: the row of the last queen seen on it, plus 1; 0 for none.
	column := make([]int32, n)
	diagonal := make([]int32, 2*n-1)
	anti := make([]int32, 2*n-1)
	for row, c := range cols {
		col := int(c)
		here := Cell{row, col}
		if !here.On(n) {
			return fmt.Errorf("row %d: column %d is off a board of size %d", row, col, n)
		}
		for _, seen := range []*int32{&column[col], &diagonal[row-col+n-1], &anti[row+col]} {
			if *seen != 0 {
				other := int(*seen - 1)
				return fmt.Errorf("queens on %s and %s attack each other", Cell{other, int(cols[other])}, here)
			}
			*seen = int32(row + 1)
		}
	}
	return nil
}

// VerifyCells judges a set of cells as [Verify] does: a solution has exactly n
// queens on a board of size n, and none attacks another.
func VerifyCells(n int, queens []Cell) error {
	cols, err := Columns(n, queens)
	if err != nil {
		return err
	}
	return Verify(cols)
}

// Columns returns the column of each row's queen, given n queens, one in each
// row.
func Columns(n int, queens []Cell) ([]int, error) {
	if len(queens) != n {
		return nil, fmt.Errorf("%d queens on a board of size %d", len(queens), n)
	}
	cols := make([]int, n)
	for i := range cols {
		cols[i] = -1
	}
	for _, q := range queens {
		if !q.On(n) {
			return nil, fmt.Errorf("queen on %s is off a board of size %d", q, n)
		}
		if cols[q.Row] >= 0 {
			return nil, fmt.Errorf("queens on %s and %s attack each other", Cell{q.Row, cols[q.Row]}, q)
		}
		cols[q.Row] = q.Col
	}
	return cols, nil
}

// Queens is the inverse of [Columns]: it returns the cell of each row's queen.
func Queens[T Integer](cols []T) []Cell {
	cells := make([]Cell, len(cols))
	for row, col := range cols {
		cells[row] = Cell{row, int(col)}
	}
	return cells
}

// Width returns the width in characters of a drawing by [Draw] whose signs are single characters.
func Width(n int) int { return len(strconv.Itoa(n)) + n*(1+len(File(n-1))) }

// Draw returns the board as text, one line per rank, highest rank first, with
// ranks at the left and files below. sign returns the text for each cell;
// shorter texts are padded on the left.
func Draw(n int, sign func(Cell) string) string {
	width := len(File(n - 1))
	signs := make([]string, n*n)
	for i := range signs {
		signs[i] = sign(At(n, i))
		width = max(width, utf8.RuneCountInString(signs[i]))
	}
	margin := len(strconv.Itoa(n))
	var b strings.Builder
	pad := func(s string, width int) {
		for range width - utf8.RuneCountInString(s) {
			b.WriteByte(' ')
		}
		b.WriteString(s)
	}
	for row := n - 1; row >= 0; row-- {
		pad(strconv.Itoa(row+1), margin)
		for col := range n {
			b.WriteByte(' ')
			pad(signs[row*n+col], width)
		}
		b.WriteByte('\n')
	}
	pad("", margin)
	for col := range n {
		b.WriteByte(' ')
		pad(File(col), width)
	}
	b.WriteByte('\n')
	return b.String()
}

// DrawQueens draws queens as Q and every other cell as a dot.
func DrawQueens(n int, queens []Cell) string {
	on := make(map[Cell]bool, len(queens))
	for _, q := range queens {
		on[q] = true
	}
	return Draw(n, func(c Cell) string {
		if on[c] {
			return "Q"
		}
		return "."
	})
}
