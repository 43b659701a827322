package bdd

import (
	"sync"

	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
	"queens/robdd"
)

// Questions about a board may be mapped to a symmetric image before they are asked.
//
// The function of a board is invariant under the symmetries of the square that map the
// fixed cells to themselves. A diagram is not: a queen in an upper row of the variable
// order leaves a small part of it, while one in the last row reaches nearly all nodes,
// since the diagram decides that row last. So the Oracle asks the image of the question whose
// queens have the least sum of levels, and maps the answer back. The sum is better than the level of
// the uppermost queen alone, because a walk stays narrow only while queens keep coming.

// knowledge is what answers need to know about the problem; it is computed once.
type knowledge struct {
	once       sync.Once
	cover      *encode.Cover      // nil if there is none
	board      bool               // queens, whose units come from a [board.Position]
	units      *encode.Propagator // for other problems
	symmetries []board.Symmetry   // of queens, without the identity
	levels     [8][]uint16        // of queens, by symmetry: for each cell the level of its image
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
		n := c.Problem.N
		k.symmetries = board.Keeping(n, c.Problem.Values(nil))
		for _, s := range append([]board.Symmetry{0}, k.symmetries...) {
			k.levels[s] = make([]uint16, n*n)
			for i := range k.levels[s] {
				k.levels[s][i] = uint16(c.made.LevelOf(image(n, s, i/n, i%n)))
			}
		}
	})
	return k
}

// highest returns the symmetry under which the queens of a question have the least sum of levels.
func (o *Oracle) highest(assume []cnf.Lit) (best board.Symmetry) {
	least := o.sumOfLevels(assume, 0)
	for _, s := range o.known.symmetries {
		if sum := o.sumOfLevels(assume, s); sum < least {
			best, least = s, sum
		}
	}
	return best
}

// sumOfLevels returns the sum of the levels of a question's queens under a symmetry.
func (o *Oracle) sumOfLevels(assume []cnf.Lit, s board.Symmetry) (sum int) {
	levels := o.known.levels[s]
	for _, l := range assume {
		if l.Positive() {
			sum += int(levels[l-1])
		}
	}
	return sum
}

// below returns the level below the lowest literal of a question under a symmetry.
func (o *Oracle) below(assume []cnf.Lit, s board.Symmetry) (end int) {
	for _, l := range assume {
		level := o.compiled.made.LevelOf(robdd.Var(l.Var()))
		if o.known.board {
			level = int(o.known.levels[s][l.Var()-1])
		}
		end = max(end, level+1)
	}
	return end
}
