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

// Order is a permutation of a problem's variables, top level first. Variables are numbered from 1.
type Order []cnf.Var

// FromCells returns the order of the cells' variables on a board of size n. It
// does not check the cells.
func FromCells(n int, cells []board.Cell) Order {
	o := make(Order, len(cells))
	for i, c := range cells {
		o[i] = encode.CellVar(n, c)
	}
	return o
}

// ByNumber returns the variables in order of number.
func ByNumber(p encode.Problem) Order {
	o := make(Order, p.AllVars())
	for i := range o {
		o[i] = cnf.Var(i + 1)
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

// Check returns an error unless o is a permutation of 1 to vars.
func (o Order) Check(vars int) error {
	if len(o) != vars {
		return fmt.Errorf("%d variables, but there are %d", len(o), vars)
	}
	seen := make([]bool, vars)
	for _, v := range o {
		if v < 1 || int(v) > vars {
			return fmt.Errorf("variable %d: expected 1 to %d", v, vars)
		}
		if seen[v-1] {
			return fmt.Errorf("variable %d occurs twice", v)
		}
		seen[v-1] = true
	}
	return nil
}

// Levels returns the inverse permutation: Levels()[v-1] is the level of variable v, counted from 0 at
// the top.
func (o Order) Levels() []int {
	levels := make([]int, len(o))
	for level, v := range o {
		levels[v-1] = level
	}
	return levels
}

// Draw returns a picture of the board with the level of each cell.
func (o Order) Draw(n int) string {
	levels := o.Levels()
	return board.Draw(n, func(c board.Cell) string { return fmt.Sprint(levels[c.Index(n)]) })
}

// Read reads an order file: the names of all variables, top level first, separated by line ends, white
// space or commas. It skips the rest of a line after #. Errors give the position as file:line.
func Read(r io.Reader, file string, names encode.Names) (Order, error) {
	var o Order
	first := make(map[cnf.Var]int) // variable -> line
	scan := bufio.NewScanner(r)
	scan.Buffer(nil, cnf.LongestLine)
	line := 0
	for scan.Scan() {
		line++
		text, _, _ := strings.Cut(scan.Text(), "#")
		for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(" \t\r,", r) }) {
			v, err := names.Var(word)
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %w", file, line, err)
			}
			if before, twice := first[v]; twice {
				return nil, fmt.Errorf("%s:%d: %s is given twice, first on line %d", file, line, names.Name(v), before)
			}
			first[v] = line
			o = append(o, v)
		}
	}
	if err := scan.Err(); err != nil {
		return nil, fmt.Errorf("reading order file %s: %w", file, err)
	}
	if len(o) != names.Len() {
		return nil, fmt.Errorf("%s:%d: the file ends after %d of %d variables, %s to %s",
			file, max(line, 1), len(o), names.Len(), names.Name(1), names.Name(cnf.Var(names.Len())))
	}
	return o, nil
}

// Write writes the order in the format of [Read], with perLine names per line.
func (o Order) Write(w io.Writer, names encode.Names, perLine int) error {
	b := bufio.NewWriter(w)
	for i, v := range o {
		end := " "
		if (i+1)%perLine == 0 || i+1 == len(o) {
			end = "\n"
		}
		fmt.Fprint(b, names.Name(v), end)
	}
	return b.Flush()
}
