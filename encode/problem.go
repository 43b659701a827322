package encode

import (
	"fmt"

	"queens/board"
	"queens/encode/cnf"
)

// Bound says how many of a constraint's variables are true.
type Bound uint8

const (
	AtLeastOne Bound = iota
	AtMostOne
	ExactlyOne
)

// String names the bound in the field's abbreviations: ALO, AMO, EO.
func (b Bound) String() string { return [...]string{"ALO", "AMO", "EO"}[b] }

// Constraint bounds the number of queens on one line. Vars are the variables of
// the line's cells, in the line's own order.
type Constraint struct {
	Line  board.Line
	Bound Bound
	Vars  []cnf.Var
}

// Problem is N-queens on a board of size N with some queens placed and some
// cells blocked: rows and columns exactly one, diagonals of two cells and more
// at most one. Placed queens that attack each other, or stand on blocked cells,
// are an ordinary problem without solutions.
type Problem struct {
	N           int
	Placed      []board.Cell
	Blocked     []board.Cell
	Constraints []Constraint
}

// MaxN bounds the board so that variables fit 31 bits.
const MaxN = 1 << 15

// Queens builds the problem. It fails for n < 1 or n > MaxN, and for a cell that
// is off the board or given twice in one list; every other input is a problem,
// with or without solutions (n = 2 and 3 have none).
func Queens(n int, placed, blocked []board.Cell) (Problem, error) {
	if n < 1 || n > MaxN {
		return Problem{}, fmt.Errorf("board size n = %d: expected 1 to %d", n, MaxN)
	}
	if err := board.CheckCells(n, placed); err != nil {
		return Problem{}, fmt.Errorf("placed queens: %w", err)
	}
	if err := board.CheckCells(n, blocked); err != nil {
		return Problem{}, fmt.Errorf("blocked cells: %w", err)
	}
	p := Problem{N: n, Placed: placed, Blocked: blocked}
	for _, line := range board.Lines(n) {
		bound := ExactlyOne
		if line.Kind >= board.Diagonal {
			bound = AtMostOne
		}
		cells := line.Cells(n)
		if bound == AtMostOne && len(cells) < 2 {
			continue
		}
		vars := make([]cnf.Var, len(cells))
		for i, c := range cells {
			vars[i] = CellVar(n, c)
		}
		p.Constraints = append(p.Constraints, Constraint{Line: line, Bound: bound, Vars: vars})
	}
	return p, nil
}

// CellVar returns the variable of a cell on a board of size n.
func CellVar(n int, c board.Cell) cnf.Var { return cnf.Var(c.Index(n) + 1) }

// VarCell is the inverse of [CellVar].
func VarCell(n int, v cnf.Var) board.Cell { return board.At(n, int(v)-1) }

// NumCells returns the number of cells, which is the number of variables that
// are not auxiliary.
func (p Problem) NumCells() int { return p.N * p.N }

// Units returns the literals that the placed queens and blocked cells fix.
func (p Problem) Units() []cnf.Lit {
	return append(Literals(p.N, p.Placed, true), Literals(p.N, p.Blocked, false)...)
}

// Literals returns the cells' variables as literals, all positive (a queen
// stands there) or all negative (none does).
func Literals(n int, cells []board.Cell, positive bool) []cnf.Lit {
	lits := make([]cnf.Lit, len(cells))
	for i, c := range cells {
		if lits[i] = CellVar(n, c).Pos(); !positive {
			lits[i] = lits[i].Not()
		}
	}
	return lits
}

// VarName names a variable for people and for files: a cell as in chess, an
// auxiliary variable by its number, as in x65.
func VarName(n int, v cnf.Var) string {
	if int(v) <= n*n {
		return VarCell(n, v).String()
	}
	return fmt.Sprintf("x%d", v)
}
