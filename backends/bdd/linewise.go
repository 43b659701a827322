package bdd

import (
	"slices"

	"queens/backends/bdd/robdd"
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
	var lines group
	most, least := 0, 0
	for _, g := range c.groups {
		if !g.lines() {
			continue
		}
		vars := len(g.vars())
		if these, span := c.sweepLines(g); vars > most || vars == most && span < least {
			lines, most, least = these, vars, span
		}
	}
	return c.lineByLine(start, lines)
}

// row-wise: from the last row up, B(r) = OR over the columns j of "a queen on (r,j),
// the rest of row r empty, and B(r+1) without the cells that (r,j) attacks".
//
// Each intermediate function looks at the lower rows only and already asks for a
// queen in each, so that no intermediate diagram is much larger than the result, as
// long as the order goes by rows.
func rowWise(c *conjoiner, start robdd.Node) robdd.Node {
	lines := slices.Clone(c.rows())
	slices.Reverse(lines)
	return c.lineByLine(start, lines)
}

// sweepLines returns lines from the side of the board that lies lower in the order, and
// the sum of the distances between each one's first and last level.
func (c *conjoiner) sweepLines(lines group) (swept group, span int) {
	lines = slices.Clone(lines)
	lean := 0 // positive when high indexes lie lower
	for i, line := range lines {
		first, last := len(c.levels), 0
		for _, l := range line.Lits {
			level := c.levels[l.Var()-1]
			first, last = min(first, level), max(last, level)
			lean += (2*i - (len(lines) - 1)) * level
		}
		span += last - first
	}
	if lean > 0 {
		slices.Reverse(lines)
	}
	return lines, span
}

// lineByLine conjoins lines: each has a true variable, which excludes none of those of
// the lines before.
func (c *conjoiner) lineByLine(start robdd.Node, lines group) robdd.Node {
	done := slices.Repeat([]bool{true}, len(c.levels)) // variables of the lines so far, and of none
	for _, v := range lines.vars() {
		done[v-1] = false
	}
	c.held = []robdd.Node{start}
	f := robdd.True
	for _, line := range lines {
		for _, l := range line.Lits {
			done[l.Var()-1] = true
		}
		with := robdd.False
		for _, l := range line.Lits {
			lits := slices.DeleteFunc(c.attacked(l), func(other cnf.Lit) bool { return !done[other.Var()-1] })
			with = c.or(with, c.and(f, c.cube(append(lits, l))))
		}
		f = c.step(line.Name, with)
	}
	c.held = nil
	return c.complete(c.step("fixed literals", c.and(start, f)), lines)
}
