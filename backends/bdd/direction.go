package bdd

import (
	"queens/backends/bdd/robdd"
	"queens/board"
	"queens/encode"
)

// direction: the conflicts of all rows, of all columns, of all diagonals and of all
// anti-diagonals as a function each; then the four conjoined, with a queen in each
// row and column.
//
// From the student reports, which split the rules as one would explain them. Each
// of the four is small (lines of one direction have no cell in common); nearly all
// the cost is in the last conjunctions.
func direction(c *conjoiner, f robdd.Node) robdd.Node {
	n := c.problem.N
	c.held = []robdd.Node{f}
	for _, kind := range []board.Kind{board.Row, board.Column, board.Diagonal, board.AntiDiagonal} {
		rule := robdd.True
		for _, line := range board.Lines(n) {
			if line.Kind == kind {
				rule = c.and(rule, c.atMostOne(line))
			}
		}
		c.held = append(c.held, c.step(kind.String()+" conflicts", rule))
	}
	c.held = c.held[1:]
	f = c.occupyRows(f)
	for kind := board.Row; len(c.held) > 0; kind++ {
		f = c.and(f, c.held[0])
		c.held = c.held[1:]
		f = c.step("and "+kind.String()+" conflicts", f)
	}
	return c.occupyColumns(f)
}

// atMostOne says that a line has no two queens. It is made from the bottom up,
// without operations: two functions a cell, for no queen and at most one from there.
func (c *conjoiner) atMostOne(line board.Line) robdd.Node {
	none, one := robdd.True, robdd.True
	for _, l := range c.upward(encode.Literals(c.problem.N, line.Cells(c.problem.N), true)) {
		none, one = c.mk(l.Var(), none, robdd.False), c.mk(l.Var(), one, none)
	}
	return one
}
