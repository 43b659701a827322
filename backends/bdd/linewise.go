package bdd

import (
	"slices"

	"queens/encode/cnf"
	"queens/robdd"
)

// lineWise is rowWise adapted to the order. It works by rows or by columns, whichever lie closer
// together in the order, and begins at the side of the board that lies lower in the order.
//
// This construction is our own. It takes neighbouring lines one after the other on purpose: their queens
// constrain each other most, so much is ruled out early. If it took the lines in the sequence of the
// order, the function would involve lines from all over the board, and would be up to twice as large at
// its widest.
func lineWise(c *conjoiner, start robdd.Func) robdd.Func {
	var lines group
	most, least := 0, 0
	for _, g := range c.groups {
		if !g.lines() {
			continue
		}
		vars := len(g.vars())
		if these, span := fromBelow(c, g); vars > most || vars == most && span < least {
			lines, most, least = these, vars, span
		}
	}
	return lineByLine(c, start, lines)
}

// rowWise works from the last row up: B(r) = OR over the columns j of "a queen on (r,j), the rest of row
// r empty, and B(r+1) without the cells that (r,j) attacks".
//
// Each intermediate function depends on the lower rows only and already requires a queen in each of
// them. So as long as the order goes by rows, no intermediate diagram is much larger than the result.
func rowWise(c *conjoiner, start robdd.Func) robdd.Func {
	lines := slices.Clone(c.rows())
	slices.Reverse(lines)
	return lineByLine(c, start, lines)
}

// fromBelow returns the lines, starting from the side of the board that lies lower in the order, and the
// sum over the lines of the distance between first and last level.
func fromBelow(c *conjoiner, lines group) (sorted group, span int) {
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

// lineByLine conjoins lines: each has a true variable that does not exclude any true variable of the
// earlier lines.
func lineByLine(c *conjoiner, start robdd.Func, lines group) robdd.Func {
	ahead := make(map[cnf.Lit]bool) // literals of later lines, which exclude them in their turn
	for _, line := range lines {
		for _, l := range line.Lits {
			ahead[l] = true
		}
	}
	c.held = []robdd.Func{start}
	f := robdd.True
	for _, line := range lines {
		for _, l := range line.Lits {
			delete(ahead, l)
		}
		with := robdd.False
		for _, l := range line.Lits {
			lits := slices.DeleteFunc(c.attacked(l), func(other cnf.Lit) bool { return ahead[other.Not()] })
			with = c.or(with, c.and(f, c.cube(append(lits, l))))
		}
		f = c.step(line.Name, with)
	}
	start, c.held = c.held[0], nil
	return c.complete(c.step("fixed literals", c.and(start, f)), lines)
}
