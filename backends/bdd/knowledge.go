package bdd

import (
	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
	"queens/robdd"
)

// Questions about a board may be mapped to a symmetric image before they are asked.
//
// The function of a board is invariant under the symmetries of the square that map the fixed cells to
// themselves. A diagram is not: a queen in an upper row of the variable order leaves a small part of it,
// while one in the last row reaches nearly all nodes, since the diagram decides that row last. So the
// Oracle asks the image of the question whose queens have the least sum of levels, and maps the answer
// back. The sum is a better criterion than the level of the uppermost queen alone, because the search
// stays narrow only as long as it keeps meeting queens.

// knowledge is the data about a problem that its answers use; it is computed once.
type knowledge struct {
	diagram    *robdd.Diagram
	cover      *encode.Cover      // nil if there is none
	board      bool               // queens, whose units come from a [board.Position]
	units      *encode.Propagator // for other problems
	symmetries []board.Symmetry   // of queens, without the identity
	levels     [8][]uint16        // of queens, by symmetry: for each cell the level of its image
}

// knowledgeOf returns the knowledge about a problem and its diagram, which may be of either kind.
func knowledgeOf(p encode.Problem, d *robdd.Diagram) *knowledge {
	k := &knowledge{diagram: d, board: p.IsQueens()}
	if p.NumVars() > 0 {
		k.cover, _ = encode.NewCover(p)
	}
	if !k.board {
		k.units = encode.NewPropagator(p)
		return k
	}
	n := p.N
	k.symmetries = board.Keeping(n, p.Values(nil))
	for _, s := range append([]board.Symmetry{0}, k.symmetries...) {
		k.levels[s] = make([]uint16, n*n)
		for i := range k.levels[s] {
			k.levels[s][i] = uint16(d.LevelOf(image(n, s, i/n, i%n)))
		}
	}
	return k
}

// image returns the variable of a cell's image under a symmetry, on a board of size n.
func image(n int, s board.Symmetry, row, col int) robdd.Var {
	row, col = s.Of(n, row, col)
	return robdd.Var(row*n + col + 1)
}

// highest returns the symmetry under which the queens of a question have the least sum of levels.
func (k *knowledge) highest(assume []cnf.Lit) (best board.Symmetry) {
	least := k.sumOfLevels(assume, 0)
	for _, s := range k.symmetries {
		if sum := k.sumOfLevels(assume, s); sum < least {
			best, least = s, sum
		}
	}
	return best
}

// sumOfLevels returns the sum of the levels of a question's queens under a symmetry.
func (k *knowledge) sumOfLevels(assume []cnf.Lit, s board.Symmetry) (sum int) {
	levels := k.levels[s]
	for _, l := range assume {
		if l.Positive() {
			sum += int(levels[l-1])
		}
	}
	return sum
}

// below returns the level just below the lowest literal of a question under a symmetry.
func (k *knowledge) below(assume []cnf.Lit, s board.Symmetry) (end int) {
	for _, l := range assume {
		level := k.diagram.LevelOf(robdd.Var(l.Var()))
		if k.board {
			level = int(k.levels[s][l.Var()-1])
		}
		end = max(end, level+1)
	}
	return end
}
