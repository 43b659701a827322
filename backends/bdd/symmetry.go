package bdd

import (
	"math"
	"slices"
	"sync"

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
// highest is asked, and the answer is mapped back. In a session, questions with half of the
// queens placed take half the time at n = 14, those with a quarter three quarters at n = 12.

// knowledge is what answers need to know about the problem; it is computed once.
type knowledge struct {
	once       sync.Once
	cover      *encode.Cover      // nil if there is none
	board      bool               // queens, whose units come from a [board.Position]
	units      *encode.Propagator // for other problems
	symmetries []board.Symmetry   // of queens, without the identity
}

func (c *Compiled) knowledge() *knowledge {
	k := &c.known
	k.once.Do(func() {
		if c.Problem.NumVars() > 0 {
			k.cover, _ = encode.NewCover(c.Problem)
		}
		k.board = c.Problem.IsQueens()
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
			if level := o.compiled.made.LevelOf(image(o.problem.N, s, q.Row, q.Col)); level > after {
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
