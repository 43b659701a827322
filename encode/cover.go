package encode

import (
	"slices"

	"queens/encode/cnf"
)

// Cover is a set of exactly-one constraints of positive literals that together contain every variable
// except auxiliary ones. If a problem has a cover, its possible variables determine the forced ones: a
// possible variable is true in every solution exactly if one of its cover constraints has no other possible
// variable.
type Cover struct {
	vars        int
	constraints []Constraint
}

// NewCover returns a cover made of the first constraints that suffice, for queens
// the rows; ok is false if some variable is in no such constraint.
func NewCover(p Problem) (c *Cover, ok bool) {
	open := p.NumVars()
	taken := make([]bool, open)
	var used []Constraint
	for _, constraint := range p.Constraints {
		if open == 0 {
			break
		}
		if !constraint.IsExactlyOne() ||
			slices.ContainsFunc(constraint.Lits, func(l cnf.Lit) bool { return l < 0 || int(l) > len(taken) }) {
			continue
		}
		before := open
		for _, l := range constraint.Lits {
			if !taken[l-1] {
				taken[l-1] = true
				open--
			}
		}
		if open < before {
			used = append(used, constraint)
		}
	}
	if open > 0 {
		return nil, false
	}
	return &Cover{p.NumVars(), used}, true
}

// Forced returns, in rising order, the possible variables that are true in every
// solution. possible must hold exactly the variables that are true in some
// solution.
func (c *Cover) Forced(possible []cnf.Var) []cnf.Var {
	can := make([]bool, c.vars+1)
	for _, v := range possible {
		can[v] = true
	}
	forced := []cnf.Var{}
	for _, constraint := range c.constraints {
		var only cnf.Lit
		count := 0
		for _, l := range constraint.Lits {
			if can[l] {
				only = l
				count++
			}
		}
		if count == 1 {
			forced = append(forced, only.Var())
		}
	}
	slices.Sort(forced)
	return slices.Compact(forced)
}
