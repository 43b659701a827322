package encode

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"

	"queens/board"
	"queens/encode/cnf"
)

// Problem is a set of named variables and the constraints over them. Every back-end starts from a
// Problem, and may read nothing else to find its answers. Copies share the slices, which must not be
// written to.
type Problem struct {
	Family      string // its family: "queens", "latin", "cnf"
	N           int    // the family's size, 0 where it has none
	Names       Names
	Constraints []Constraint
	// Auxiliary is the number of auxiliary variables, which are numbered above those with names. They are
	// never a choice and never counted: a solution gives values to the variables with names, and some
	// values of the auxiliary ones complete it (projected models).
	Auxiliary int
	// Projected says that the problem's file lists the variables that count.
	Projected bool
	// Note says which comments of the problem's file name nothing; empty if there are none.
	Note string
	// Weighted says that a line of the problem's file gives literals weights: "file:line: ..."; "" if none does. Such a problem
	// is neither counted nor sampled, since both would leave the weights out.
	Weighted string
	// Numbers holds each variable's number in the problem's file, auxiliary ones last. It is nil if the
	// numbers are the same.
	Numbers []cnf.Var
	// FileNames holds the names that the problem's file gives to variables, by number, those of auxiliary ones
	// included; "" for none. It is nil unless some of the file's variables do not count.
	FileNames List
	// Groups holds the variables in the groups of the problem's file, each variable once; nil if it has none.
	Groups []Group
	// Fixed holds the literals that must be true in addition to the constraints:
	// positive for placed queens, negative for blocked cells.
	Fixed []cnf.Lit
	// Place returns the cell of an N x N board on which a variable lies; several
	// variables may share a cell. It is nil for a problem without geometry. Variable
	// orders and pictures use it; answers never depend on it.
	Place func(cnf.Var) board.Cell
}

// Group is a set of variables to show together.
type Group struct {
	Name, Rule string // whose they are, and what holds of them, in words
	One        bool   // at most one of them is true
	Vars       []cnf.Var
}

// NumVars returns the number of variables, not counting auxiliary ones.
func (p Problem) NumVars() int { return p.Names.Len() }

// AllVars returns the number of variables in the constraints, auxiliary ones included.
func (p Problem) AllVars() int { return p.Names.Len() + p.Auxiliary }

// NumLiterals returns the number of literals in the constraints.
func (p Problem) NumLiterals() (n int) {
	for _, c := range p.Constraints {
		n += len(c.Lits)
	}
	return n
}

// Number returns a variable's number in the problem's file.
func (p Problem) Number(v cnf.Var) cnf.Var {
	if int(v) <= len(p.Numbers) {
		return p.Numbers[v-1]
	}
	return v
}

// InFile returns a literal by its variable's number in the problem's file.
func (p Problem) InFile(l cnf.Lit) cnf.Lit {
	return p.Number(l.Var()).Lit(l.Positive())
}

// Numbered is the inverse of Number, for variables that are not auxiliary.
func (p Problem) Numbered(number cnf.Var) (v cnf.Var, is bool) {
	if p.Numbers == nil {
		return number, 1 <= number && int(number) <= p.NumVars()
	}
	i, is := slices.BinarySearch(p.Numbers[:p.NumVars()], number)
	return cnf.Var(i + 1), is
}

// CheckAssumptions returns an error if a literal's variable is not one of the
// problem's.
func (p Problem) CheckAssumptions(lits []cnf.Lit) error {
	last := cnf.Var(p.NumVars())
	for _, l := range lits {
		if v := l.Var(); v < 1 || v > last {
			return fmt.Errorf("assumption %d: %s has variables 1 to %d", l, p, p.NumVars())
		}
	}
	return nil
}

// String names the problem in messages: "queens n = 8", "cnf of 120 variables".
func (p Problem) String() string {
	if p.N == 0 {
		return fmt.Sprintf("%s of %d variables", p.Family, p.NumVars())
	}
	return fmt.Sprintf("%s n = %d", p.Family, p.N)
}

// With returns the problem with more literals fixed.
func (p Problem) With(fixed ...cnf.Lit) Problem {
	p.Fixed = append(p.Fixed[:len(p.Fixed):len(p.Fixed)], fixed...)
	return p
}

// IsBoard reports whether the variables are the cells of a board, row by row, so
// [CellVar] and [VarCell] apply.
func (p Problem) IsBoard() bool {
	_, cells := p.Names.(Cells)
	return cells
}

// FixedVars returns the variables that are fixed to the value, in the order in
// which they were fixed.
func (p Problem) FixedVars(value bool) []cnf.Var {
	var vars []cnf.Var
	for _, l := range p.Fixed {
		if l.Positive() == value {
			vars = append(vars, l.Var())
		}
	}
	return vars
}

// TrueVars returns the variables, without auxiliary ones, that a model makes true.
func (p Problem) TrueVars(model []cnf.Lit) (vars []cnf.Var) {
	for _, l := range model {
		if l.Positive() && int(l) <= p.NumVars() {
			vars = append(vars, l.Var())
		}
	}
	return vars
}

// Values returns the values that the fixed literals and lits give to each variable, indexed
// by variable - 1: 1 is true, -1 false, 0 open.
func (p Problem) Values(lits []cnf.Lit) []int8 {
	value := make([]int8, p.NumVars())
	for _, list := range [][]cnf.Lit{p.Fixed, lits} {
		for _, l := range list {
			if value[l.Var()-1] = 1; l < 0 {
				value[l.Var()-1] = -1
			}
		}
	}
	return value
}

// Placed returns the cells of a board problem that are fixed to hold a queen, and
// Blocked those that are fixed to be empty.
func (p Problem) Placed() []board.Cell  { return p.cells(p.FixedVars(true)) }
func (p Problem) Blocked() []board.Cell { return p.cells(p.FixedVars(false)) }

func (p Problem) cells(vars []cnf.Var) []board.Cell {
	cells := make([]board.Cell, len(vars))
	for i, v := range vars {
		cells[i] = VarCell(p.N, v)
	}
	return cells
}

// Fingerprint identifies the constraints, disregarding names and fixed literals: the
// first 128 bits of a SHA-256, in hexadecimal. Problems with equal fingerprints have
// the same constraints.
func (p Problem) Fingerprint() string {
	sum := sha256.New()
	buf := binary.AppendUvarint(nil, uint64(p.NumVars()))
	if p.Auxiliary > 0 {
		buf = binary.AppendUvarint(append(buf, 0xff), uint64(p.Auxiliary)) // no bound
	}
	for _, c := range p.Constraints {
		buf = c.appendCount(buf)
		for k, l := range c.Lits {
			buf = c.appendLit(buf, k, l)
		}
		buf = append(buf, 0)
		sum.Write(buf)
		buf = buf[:0]
	}
	sum.Write(buf)
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// Literals returns the cells' variables as literals, all positive (a queen
// stands there) or all negative (none does).
func Literals(n int, cells []board.Cell, positive bool) []cnf.Lit {
	lits := make([]cnf.Lit, len(cells))
	for i, c := range cells {
		lits[i] = CellVar(n, c).Lit(positive)
	}
	return lits
}

// CellVar returns the variable of a cell on a board of size n.
func CellVar(n int, c board.Cell) cnf.Var { return cnf.Var(c.Index(n) + 1) }

// VarCell is the inverse of [CellVar].
func VarCell(n int, v cnf.Var) board.Cell { return board.At(n, int(v)-1) }

// CellsOf returns the cells of the positive literals: of a model, its queens.
func CellsOf(n int, lits []cnf.Lit) []board.Cell {
	var cells []board.Cell
	for _, l := range lits {
		if l.Positive() && int(l) <= n*n { // beyond are auxiliary variables
			cells = append(cells, VarCell(n, l.Var()))
		}
	}
	return cells
}

// Turned returns the image of a literal of a board of size n under a symmetry.
func Turned(n int, s board.Symmetry, l cnf.Lit) cnf.Lit {
	at := VarCell(n, l.Var())
	row, col := s.Of(n, at.Row, at.Col)
	return CellVar(n, board.Cell{Row: row, Col: col}).Lit(l.Positive())
}
