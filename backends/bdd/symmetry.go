package bdd

import (
	"math"
	"math/bits"
	"slices"
	"sync"

	"queens/backends/bdd/robdd"
	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
)

// Questions about a board may be mapped to a symmetric image before they are asked.
//
// The function of a board is invariant under the symmetries of the square that map the
// fixed cells to themselves. A diagram is not: a queen in an upper row of the variable
// order leaves a small part of it, while one in the last row reaches nearly all nodes,
// since the diagram decides that row last. So the image of the question whose queens lie
// highest is asked, and the answer is mapped back.

// knowledge is what answers need to know about the problem; it is computed once.
type knowledge struct {
	once       sync.Once
	cover      *encode.Cover      // nil if there is none
	board      bool               // queens, whose units come from [board.Candidates]
	units      *encode.Propagator // for other problems
	symmetries []board.Symmetry   // of queens, without the identity
}

func (c *Compiled) knowledge() *knowledge {
	k := &c.known
	k.once.Do(func() {
		if c.Problem.NumVars() > 0 {
			k.cover, _ = encode.NewCover(c.Problem)
		}
		k.board = c.Problem.IsQueens() && c.Problem.N <= board.MaxCandidates
		if !k.board {
			k.units = encode.NewPropagator(c.Problem)
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

// isSymmetric reports whether a symmetry maps the fixed cells to themselves.
func isSymmetric(p encode.Problem, s board.Symmetry) bool {
	for _, l := range p.Fixed {
		if !slices.Contains(p.Fixed, encode.Turned(p.N, s, l)) {
			return false
		}
	}
	return true
}

// image returns the variable of a cell's image.
func (o *Oracle) image(s board.Symmetry, row, col int) robdd.Var {
	row, col = s.Of(o.problem.N, row, col)
	return robdd.Var(row*o.problem.N + col + 1)
}

// uppermost returns the symmetry under which the queens of a question lie highest,
// comparing the uppermost queen first, then the next.
func (o *Oracle) uppermost(assume []cnf.Lit) (best board.Symmetry) {
	var few [16]board.Cell // on the stack
	queens := few[:0]
	for _, l := range assume {
		if l.Positive() {
			queens = append(queens, encode.VarCell(o.problem.N, l.Var()))
		}
	}
	for _, s := range o.known.symmetries {
		if o.higher(s, best, queens) {
			best = s
		}
	}
	return best
}

// higher reports whether queens lie higher under symmetry a than under b.
func (o *Oracle) higher(a, b board.Symmetry, queens []board.Cell) bool {
	next := func(s board.Symmetry, after int) int {
		least := math.MaxInt
		for _, q := range queens {
			if level := o.compiled.made.LevelOf(o.image(s, q.Row, q.Col)); level > after {
				least = min(least, level)
			}
		}
		return least
	}
	for at := -1; at < math.MaxInt; {
		x, y := next(a, at), next(b, at)
		if x != y {
			return x < y
		}
		at = x
	}
	return false
}

// propagated fills o.cells with the candidates that assumptions leave, and returns what
// follows for the images of all cells, as literals in memory that the next call reuses.
func (o *Oracle) propagated(s board.Symmetry, assume []cnf.Lit) []robdd.Lit {
	c, n := &o.cells, o.problem.N
	c.Reset(n)
	for _, lits := range [2][]cnf.Lit{o.problem.Fixed, assume} {
		for _, l := range lits {
			if at := encode.VarCell(n, l.Var()); l.Positive() {
				c.Put(at)
			} else {
				c.Block(at)
			}
		}
	}
	if !c.Propagate() {
		return contradiction()
	}
	o.assume = slices.Grow(o.assume[:0], n*n)
	lits := o.assume
	for row, cells := range c.Rows[:n] {
		placed := cells&(cells-1) == 0
		for col := range n {
			switch v := robdd.Lit(o.image(s, row, col)); {
			case cells>>col&1 == 0:
				lits = append(lits, -v)
			case placed:
				lits = append(lits, v)
			}
		}
	}
	return lits
}

// cellsOf makes the answer from the candidates whose images can hold a queen, and leaves
// only those in o.cells.
func (o *Oracle) cellsOf(sweep *robdd.Sweep, turn board.Symmetry) possible {
	candidates := 0
	rows := o.cells.Rows[:o.problem.N]
	for _, cells := range rows {
		candidates += bits.OnesCount64(cells)
	}
	vars := make([]cnf.Var, 0, candidates+len(rows)) // and those that are forced
	for row := range rows {
		for cells := rows[row]; cells != 0; cells &= cells - 1 {
			col := bits.TrailingZeros64(cells)
			if sweep.CanBe(robdd.Lit(o.image(turn, row, col))) {
				vars = append(vars, cnf.Var(row*len(rows)+col+1))
			} else {
				rows[row] &^= 1 << col
			}
		}
	}
	end := len(vars)
	for row, cells := range rows {
		if cells&(cells-1) == 0 { // the only cell of its row
			vars = append(vars, cnf.Var(row*len(rows)+bits.TrailingZeros64(cells)+1))
		}
	}
	return possible{vars[:end:end], vars[end:], true}
}
