package bdd

import (
	"math/bits"
	"slices"

	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
	"queens/robdd"
)

// propagation finds what follows from the assumptions of a question by unit propagation. Answers are
// correct without it, but each literal that is known to hold keeps the search away from nodes without a
// solution.
type propagation struct {
	problem encode.Problem
	known   *knowledge
	cells   *board.Position    // of queens: the board with the question on it
	units   *encode.Propagator // of other problems
	lits    []robdd.Lit
	// Reused memory for levels.
	queens, free []uint16
}

// from returns the assumptions and what follows from them, with each cell mapped by the symmetry, which
// must be the identity unless the problem is a board. The next call reuses the slice.
func (p *propagation) from(assume []cnf.Lit, turn board.Symmetry) []robdd.Lit {
	switch {
	case len(assume) == 0:
		return nil
	case p.known.board:
		return p.onCells(assume, turn)
	}
	return p.onConstraints(assume)
}

// contradiction returns an assumption and its negation.
func contradiction(assume []cnf.Lit) []robdd.Lit {
	return []robdd.Lit{robdd.Lit(assume[0]), -robdd.Lit(assume[0])}
}

func (p *propagation) onConstraints(assume []cnf.Lit) []robdd.Lit {
	if p.units == nil {
		p.units = p.known.units.Clone()
	}
	if !p.units.Assume(assume) {
		return contradiction(assume)
	}
	p.lits = p.lits[:0]
	for i, x := range p.units.Values()[:p.problem.NumVars()] {
		if x != 0 {
			p.lits = append(p.lits, robdd.Lit(i+1)*robdd.Lit(x))
		}
	}
	return p.lits
}

// put puts the assumptions and what follows from them on p.cells. It returns false if they contradict
// each other.
func (p *propagation) put(assume []cnf.Lit) bool {
	if p.cells == nil {
		p.cells = board.NewPosition(p.problem.N, nil, nil)
	}
	p.problem.PutOn(p.cells, assume)
	return !p.cells.Dead
}

func (p *propagation) onCells(assume []cnf.Lit, turn board.Symmetry) []robdd.Lit {
	if !p.put(assume) {
		return contradiction(assume)
	}
	n := p.problem.N
	p.lits = slices.Grow(p.lits[:0], n*n)
	lits := p.lits
	for row, queen := range p.cells.Cols {
		free := p.cells.Row(row)
		for col := range n {
			switch v := robdd.Lit(image(n, turn, row, col)); {
			case int(queen) == col:
				lits = append(lits, v)
			case free[col>>6]>>(col&63)&1 == 0:
				lits = append(lits, -v)
			}
		}
	}
	return lits
}

// above returns the levels of the images of the queens and of the free cells that put has left, except
// those at level end or below.
func (p *propagation) above(end int, turn board.Symmetry) (queens, free []uint16) {
	n, levels := p.problem.N, p.known.levels[turn]
	p.queens, p.free = p.queens[:0], p.free[:0]
	for row, queen := range p.cells.Cols {
		if queen >= 0 {
			if level := levels[row*n+int(queen)]; int(level) < end {
				p.queens = append(p.queens, level)
			}
		}
		for w, cells := range p.cells.Row(row) {
			for ; cells != 0; cells &= cells - 1 {
				if level := levels[row*n+w<<6+bits.TrailingZeros64(cells)]; int(level) < end {
					p.free = append(p.free, level)
				}
			}
		}
	}
	return p.queens, p.free
}
