package encode

import (
	"fmt"

	"queens/board"
	"queens/encode/cnf"
)

// MaxN is the largest board that is turned into constraints: 16 million
// literals.
const MaxN = 2000

// count says how many cells of a line are chosen.
type count struct{ least, most int }

// newBoard returns a problem on the cells of a board, with the lines of each kind counted. It leaves out
// lines that are too short for their count to say anything.
func newBoard(family string, n int, counts map[board.LineKind]count) Problem {
	p := Problem{
		Family: family, N: n, Names: Cells(n),
		Place: func(v cnf.Var) board.Cell { return VarCell(n, v) },
	}
	for _, line := range board.Lines(n) {
		number, counted := counts[line.Kind]
		length := line.Len(n)
		if !counted || number.least == 0 && number.most >= length {
			continue
		}
		lits := make([]cnf.Lit, length)
		first, step := lineLits(n, line)
		for i := range lits {
			lits[i] = first + cnf.Lit(i)*step
		}
		p.Constraints = append(p.Constraints, Constraint{Name: line.Name(n), Least: number.least, Most: number.most, Lits: lits})
	}
	return p
}

// lineLits returns the first literal of a line, and the step from each literal to the next.
func lineLits(n int, line board.Line) (first, step cnf.Lit) {
	first = CellVar(n, line.At(n, 0)).Pos()
	if line.Len(n) == 1 {
		return first, 0
	}
	return first, CellVar(n, line.At(n, 1)).Pos() - first
}

// Queens builds N-queens with some queens placed and some cells blocked: exactly one
// queen in each row and column, at most one in each diagonal of two or more cells.
// Placed queens that attack each other or stand on blocked cells make an ordinary
// problem without solutions. It fails for n < 1 or n > MaxN, and for a cell that is
// off the board or given twice in one list; any other input is a valid problem, with
// or without solutions (n = 2 and 3 have none).
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
	p := newBoard("queens", n, queensCounts)
	p.Fixed = append(Literals(n, placed, true), Literals(n, blocked, false)...)
	return p, nil
}

var queensCounts = map[board.LineKind]count{
	board.Row: {1, 1}, board.Column: {1, 1}, board.Diagonal: {0, 1}, board.AntiDiagonal: {0, 1},
}

// Position returns the board of N-queens under assumptions, after all unit steps. It
// takes O(n) operations per queen plus O(n*n/64).
func (p Problem) Position(assume []cnf.Lit) *board.Position {
	b := board.NewPosition(p.N, nil, nil)
	p.PutOn(b, assume)
	return b
}

// PutOn is like [Problem.Position], for a board of the same size whose memory it reuses.
func (p Problem) PutOn(b *board.Position, assume []cnf.Lit) {
	b.Reset(nil, nil)
	for _, positive := range [2]bool{false, true} { // block all cells before the first queen is put
		for _, lits := range [2][]cnf.Lit{p.Fixed, assume} {
			for _, l := range lits {
				switch c := VarCell(p.N, l.Var()); {
				case b.Dead || l.Positive() != positive:
				case positive:
					b.Put(c)
				default:
					b.Block(c)
				}
			}
		}
	}
	b.Propagate()
}

// IsQueens reports whether the constraints, whatever the problem's name, are those
// of [Queens] in the same order. A back-end with a special path for queens checks
// this before taking it.
func (p Problem) IsQueens() bool {
	if !p.IsBoard() {
		return false
	}
	i := 0
	for _, line := range board.Lines(p.N) {
		length := line.Len(p.N)
		number := queensCounts[line.Kind]
		if number.least == 0 && length < 2 {
			continue
		}
		if i == len(p.Constraints) {
			return false
		}
		c := &p.Constraints[i]
		if c.Least != number.least || c.Most != number.most || len(c.Lits) != length || c.Weights != nil {
			return false
		}
		first, step := lineLits(p.N, line)
		for k, l := range c.Lits {
			if l != first+cnf.Lit(k)*step {
				return false
			}
		}
		i++
	}
	return i == len(p.Constraints)
}
