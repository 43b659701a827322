package bdd

import (
	"slices"

	"queens/backends/bdd/robdd"
	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
)

// line-wise: row-wise made to fit the order. It goes by rows or by columns,
// whichever lie closer together in the order, and begins at the side of the board
// that lies lower in it.
//
// Ours. Neighbouring lines follow each other on purpose: their queens constrain each
// other most, so that much is ruled out early. In the sequence of the order the
// function would hold lines from all over the board, and at its widest be up to
// twice as large.
func lineWise(c *conjoiner, start robdd.Node) robdd.Node {
	n := c.problem.N
	var lines []board.Line
	least := 0
	for _, kind := range []board.Kind{board.Row, board.Column} {
		if these, span := c.sweepLines(kind); kind == board.Row || span < least {
			lines, least = these, span
		}
	}
	return c.lineByLine(start, lines, n)
}

// row-wise: from the last row up, B(r) = OR over the columns j of "a queen on (r,j),
// the rest of row r empty, and B(r+1) without the cells that (r,j) attacks".
//
// Each intermediate function looks at the lower rows only and already asks for a
// queen in each, so that no intermediate diagram is much larger than the result, as
// long as the order goes by rows.
func rowWise(c *conjoiner, start robdd.Node) robdd.Node {
	n := c.problem.N
	var lines []board.Line
	for r := n - 1; r >= 0; r-- {
		lines = append(lines, board.Line{Kind: board.Row, Index: r})
	}
	return c.lineByLine(start, lines, n)
}

// sweepLines returns the rows or the columns, from the side of the board that lies
// lower in the order, and the sum of the distances between each one's first and
// last level.
func (c *conjoiner) sweepLines(kind board.Kind) (lines []board.Line, span int) {
	n := c.problem.N
	lean := 0 // positive when high indexes lie lower
	for i := range n {
		line := board.Line{Kind: kind, Index: i}
		first, last := n*n, 0
		for _, at := range line.Cells(n) {
			level := c.levels[at.Index(n)]
			first, last = min(first, level), max(last, level)
			lean += (2*i - (n - 1)) * level
		}
		span += last - first
		lines = append(lines, line)
	}
	if lean > 0 {
		slices.Reverse(lines)
	}
	return lines, span
}

// lineByLine conjoins lines that cover the board: each has a queen, which attacks
// no queen of the lines before.
func (c *conjoiner) lineByLine(start robdd.Node, lines []board.Line, n int) robdd.Node {
	done := make([]bool, n*n) // cells of lines so far
	c.held = []robdd.Node{start}
	f := robdd.True
	for _, line := range lines {
		cells := line.Cells(n)
		for _, at := range cells {
			done[at.Index(n)] = true
		}
		with := robdd.False
		for _, at := range cells {
			lits := []cnf.Lit{encode.CellVar(n, at).Pos()}
			for _, l := range c.attacked(at) {
				if done[l.Var()-1] {
					lits = append(lits, l)
				}
			}
			with = c.or(with, c.and(f, c.cube(lits)))
		}
		f = c.step(line.Name(n), with)
	}
	c.held = nil
	return c.step("placed and blocked cells", c.and(start, f))
}
