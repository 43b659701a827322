package bdd

import (
	"errors"
	"fmt"
	"slices"

	"queens/encode"
	"queens/encode/cnf"
)

// rules is a problem's constraints in the terms of a board: the lines of each direction, and the cells
// that a queen attacks. For any other problem a line is a constraint, and a true literal attacks the
// literals that it excludes.
type rules struct {
	groups    []group // see groupsOf; for queens rows, columns, diagonals, anti-diagonals
	vars      int
	excluding [][]*encode.Constraint // by literal + vars: the constraints in which it excludes the other literals
}

type group []encode.Constraint

// name returns the names of the group's first and last constraint.
func (g group) name() string {
	if len(g) == 1 {
		return g[0].Name
	}
	return fmt.Sprintf("%s to %s", g[0].Name, g[len(g)-1].Name)
}

// lines reports whether the group can serve as the rows of a board: each of its constraints makes
// exactly one variable true.
func (g group) lines() bool {
	return !slices.ContainsFunc(g, func(c encode.Constraint) bool {
		return !c.IsExactlyOne() ||
			slices.ContainsFunc(c.Lits, func(l cnf.Lit) bool { return !l.Positive() })
	})
}

// vars returns the variables of the group, in ascending order.
func (g group) vars() []cnf.Var {
	var vars []cnf.Var
	for _, c := range g {
		for _, l := range c.Lits {
			vars = append(vars, l.Var())
		}
	}
	slices.Sort(vars)
	return vars
}

func newRules(p encode.Problem) rules {
	r := rules{groups: groupsOf(p), vars: p.AllVars(), excluding: make([][]*encode.Constraint, 2*p.AllVars()+1)}
	for i := range p.Constraints {
		c := &p.Constraints[i]
		if !c.Excludes() {
			continue
		}
		for _, l := range c.Lits {
			r.excluding[int(l)+r.vars] = append(r.excluding[int(l)+r.vars], c)
		}
	}
	return r
}

// groupsOf divides the constraints, in their order, into groups of disjoint ones.
func groupsOf(p encode.Problem) (groups []group) {
	last := slices.Repeat([]int{-1}, p.AllVars()) // the last group of each variable
	for i, c := range p.Constraints {
		here := len(groups) - 1
		if here < 0 || slices.ContainsFunc(c.Lits, func(l cnf.Lit) bool { return last[l.Var()-1] == here }) {
			groups = append(groups, nil)
			here++
		}
		for _, l := range c.Lits {
			last[l.Var()-1] = here
		}
		if c.Name == "" {
			c.Name = fmt.Sprintf("constraint %d", i+1)
		}
		groups[here] = append(groups[here], c)
	}
	return groups
}

// isBoard returns an error unless the problem is a board with constraints, and hasRows unless it has rows
// that hold exactly one.
func isBoard(p encode.Problem) error {
	if p.IsBoard() && len(p.Constraints) > 0 {
		return nil
	}
	return errors.New("it takes boards")
}

func hasRows(p encode.Problem) error {
	if p.IsBoard() && slices.ContainsFunc(groupsOf(p), group.lines) {
		return nil
	}
	return errors.New("it takes boards whose rows hold exactly one")
}

// excludes returns the literals that l excludes, ascending by variable.
func (r *rules) excludes(l cnf.Lit) (lits []cnf.Lit) {
	for _, c := range r.excluding[int(l)+r.vars] {
		lits = append(lits, c.Lits...)
	}
	slices.SortFunc(lits, func(a, b cnf.Lit) int { return int(a.Var()) - int(b.Var()) })
	lits = slices.Compact(lits)
	return slices.DeleteFunc(lits, func(other cnf.Lit) bool { return other == l })
}

// attacked returns the negations of the literals that l excludes.
func (r *rules) attacked(l cnf.Lit) []cnf.Lit {
	lits := r.excludes(l)
	for i, other := range lits {
		lits[i] = other.Not()
	}
	return lits
}

// rows returns the first group of lines of a board, and columns the last; nil if there is none.
func (r *rules) rows() group {
	if i := slices.IndexFunc(r.groups, group.lines); i >= 0 {
		return r.groups[i]
	}
	return nil
}

func (r *rules) columns() (last group) {
	for _, g := range r.groups {
		if g.lines() {
			last = g
		}
	}
	return last
}

// followsFrom reports whether the following holds: once each of the other lines has exactly one true
// variable and no line of g has two, each line of g must have one. This is so if both groups have the
// same variables and equally many lines.
func (g group) followsFrom(lines group) bool {
	return len(g) == len(lines) && g.lines() && slices.Equal(g.vars(), lines.vars())
}
