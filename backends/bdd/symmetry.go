package bdd

import (
	"slices"
	"sync"

	"queens/backends/bdd/robdd"
	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
)

// Questions about a board may be turned round before they are asked.
//
// The function of a board is its own image under the symmetries of the square that leave
// what is fixed where it is. A diagram is not: a queen in an upper row of the variable order
// leaves a small part of it, one in the last row reaches nearly all nodes, since the diagram
// learns of that row last. So of the images of a question the one is asked whose queens lie
// highest, and the answer is turned back.

// knowledge is what answering uses and the problem alone tells; it is found out once.
type knowledge struct {
	once       sync.Once
	cover      *encode.Cover // nil where there is none
	units      *encode.Propagator
	symmetries []board.Symmetry // of queens; the identity is left out
}

func (c *Compiled) knowledge() *knowledge {
	k := &c.known
	k.once.Do(func() {
		k.units = encode.NewPropagator(c.Problem)
		if c.Problem.NumVars() > 0 {
			k.cover, _ = encode.NewCover(c.Problem)
		}
		if !c.Problem.IsQueens() {
			return
		}
		for _, s := range board.Symmetries()[1:] {
			if isSymmetric(c.Problem, s) {
				k.symmetries = append(k.symmetries, s)
			}
		}
	})
	return k
}

// isSymmetric reports whether a symmetry leaves what is fixed as it is.
func isSymmetric(p encode.Problem, s board.Symmetry) bool {
	for _, l := range p.Fixed {
		if !slices.Contains(p.Fixed, turned(p.N, s, l)) {
			return false
		}
	}
	return true
}

// turned returns the image of a literal.
func turned(n int, s board.Symmetry, l cnf.Lit) cnf.Lit {
	at := encode.VarCell(n, l.Var())
	row, col := s.Of(n, at.Row, at.Col)
	v := encode.CellVar(n, board.Cell{Row: row, Col: col})
	if l.Positive() {
		return v.Pos()
	}
	return v.Neg()
}

func (o *Oracle) image(s board.Symmetry, v cnf.Var) cnf.Var {
	return turned(o.problem.N, s, v.Pos()).Var()
}

// uppermost returns the symmetry under which the queens of a question lie highest: the
// uppermost of them, then the next. Where a sweep passes over the whole diagram anyway, it
// is the identity.
func (o *Oracle) uppermost(sweep *robdd.Sweep, assume []cnf.Lit) (best board.Symmetry) {
	if len(o.known.symmetries) == 0 || !sweep.Selective() || o.problem.CheckAssumptions(assume) != nil {
		return 0
	}
	levels := func(s board.Symmetry, into []int) []int {
		for _, l := range assume {
			if l.Positive() {
				into = append(into, o.diagram.LevelOf(robdd.Var(o.image(s, l.Var()))))
			}
		}
		slices.Sort(into)
		return into
	}
	highest := levels(0, make([]int, 0, len(assume)))
	other := make([]int, 0, len(assume))
	for _, s := range o.known.symmetries {
		if other = levels(s, other[:0]); slices.Compare(other, highest) < 0 {
			best, highest, other = s, other, highest
		}
	}
	return best
}

// turned returns the images of literals.
func (o *Oracle) turned(s board.Symmetry, lits []cnf.Lit) []cnf.Lit {
	if s == 0 {
		return lits
	}
	images := make([]cnf.Lit, len(lits))
	for i, l := range lits {
		images[i] = turned(o.problem.N, s, l)
	}
	return images
}

// turnedBack returns the literals whose images are given: of each variable v, then -v,
// rising by variable.
func (o *Oracle) turnedBack(s board.Symmetry, images []robdd.Lit) []robdd.Lit {
	const can, canNot = 1, 2
	known := make([]uint8, o.problem.NumVars()+1)
	for _, l := range images {
		if l > 0 {
			known[l] |= can
		} else {
			known[-l] |= canNot
		}
	}
	lits := make([]robdd.Lit, 0, len(images))
	for v := cnf.Var(1); int(v) <= o.problem.NumVars(); v++ {
		is := known[o.image(s, v)]
		if is&can != 0 {
			lits = append(lits, robdd.Lit(v))
		}
		if is&canNot != 0 {
			lits = append(lits, -robdd.Lit(v))
		}
	}
	return lits
}
