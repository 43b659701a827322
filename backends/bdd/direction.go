package bdd

import (
	"queens/encode"
	"queens/robdd"
)

// direction builds one function for the conflicts of all rows, and one each for columns, diagonals and
// anti-diagonals. Then it conjoins the four, and a queen in each row and column.
//
// It comes from the student reports, which split the rules as one would explain them. Each of the four
// functions is small (lines of one direction have no cell in common); nearly all of the cost is in the
// last conjunctions.
func direction(c *conjoiner, f robdd.Func) robdd.Func {
	c.held = []robdd.Func{f}
	for _, g := range c.groups {
		rule := robdd.True
		for _, line := range g {
			if line.Excludes() {
				rule = c.and(rule, c.constraint(encode.AtMostOne("", line.Lits...)))
			}
		}
		c.held = append(c.held, c.step("conflicts of "+g.name(), rule))
	}
	f, c.held = c.held[0], c.held[1:]
	f = c.occupy(f, c.groups[0])
	for _, g := range c.groups {
		f = c.and(f, c.held[0])
		c.held = c.held[1:]
		f = c.step("and conflicts of "+g.name(), f)
	}
	for _, g := range c.groups[1:] {
		f = c.occupy(f, g)
	}
	return f
}
