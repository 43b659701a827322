package lesson

import (
	"fmt"
	"slices"
	"strings"

	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
)

// RuleGroup is one way to divide the n-queens problem into rules: conjoined in any
// order, the rules of a group (and a queen in each row) make up the problem.
type RuleGroup struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	Rules []Rule `json:"rules"`
}

// Rule is a formula that is conjoined in one step.
type Rule struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	Formula string `json:"formula"`

	constraints []encode.Constraint
}

// newRule makes a rule of constraints, each of which says that one of some cells has a queen, or that no
// two of them have one. All cells that one cell excludes make one implication of the formula.
func newRule(n int, id, title string, constraints ...encode.Constraint) Rule {
	name := func(l cnf.Lit) string { return encode.VarCell(n, l.Var()).String() }
	var parts []string
	last := cnf.Lit(0)
	for _, c := range constraints {
		if !c.Excludes() {
			words := make([]string, len(c.Lits))
			for i, l := range c.Lits {
				words[i] = name(l)
			}
			parts = append(parts, strings.Join(words, " ∨ "))
			continue
		}
		for i, first := range c.Lits {
			for _, other := range c.Lits[i+1:] {
				if first == last {
					parts[len(parts)-1] += " ∧ ¬" + name(other)
				} else {
					parts = append(parts, name(first)+" → ¬"+name(other))
				}
				last = first
			}
		}
	}
	formula := strings.Join(parts, ") ∧ (")
	if len(parts) > 1 {
		formula = "(" + formula + ")"
	}
	return Rule{id, title, formula, constraints}
}

// groups divides the problem of a small board into rules: by kind of line, line by
// line, cell by cell, and pair by pair.
func groups(p encode.Problem) []RuleGroup {
	n := p.N
	var occupied, kinds, lines, cells, pairs []Rule
	some, one := []encode.Constraint{}, map[board.LineKind][]encode.Constraint{}
	excluded := make([][]encode.Constraint, n*n) // by cell: the pairs that it is part of
	rest := p.Constraints
	for _, line := range board.Lines(n) {
		if line.Kind >= board.Diagonal && line.Len(n) < 2 {
			continue // it has no constraint
		}
		c := rest[0]
		rest = rest[1:]
		if line.Kind == board.Row {
			queen := encode.AtLeastOne(c.Name, c.Lits...)
			some = append(some, queen)
			occupied = append(occupied, newRule(n, fmt.Sprintf("some:row:%d", line.Index+1), c.Name+" has a queen", queen))
		}
		if c.Least = 0; len(c.Lits) < 2 {
			continue
		}
		lines = append(lines, newRule(n, fmt.Sprintf("one:%s:%d", line.Kind, line.Index+1), "at most one queen in "+c.Name, c))
		one[line.Kind] = append(one[line.Kind], c)
		for i, l := range c.Lits {
			for _, other := range slices.Concat(c.Lits[:i], c.Lits[i+1:]) {
				excluded[l-1] = append(excluded[l-1], encode.AtMostOne("", l, other))
			}
		}
	}
	kinds = append(kinds, newRule(n, "some:rows", "every row has a queen", some...))
	for _, kind := range []board.LineKind{board.Row, board.Column, board.Diagonal, board.AntiDiagonal} {
		kinds = append(kinds, newRule(n, "one:"+kind.String()+"s", "at most one queen in each "+kind.String(), one[kind]...))
	}
	for i, constraints := range excluded {
		c := board.At(n, i)
		slices.SortFunc(constraints, func(a, b encode.Constraint) int { return int(a.Lits[1] - b.Lits[1]) })
		for _, pair := range constraints {
			if d := encode.VarCell(n, pair.Lits[1].Var()); pair.Lits[1] > pair.Lits[0] {
				pairs = append(pairs, newRule(n, fmt.Sprintf("pair:%s-%s", c, d), fmt.Sprintf("not both %s and %s", c, d), pair))
			}
		}
		if len(constraints) > 0 {
			cells = append(cells,
				newRule(n, "cell:"+c.String(), fmt.Sprintf("a queen on %s keeps the cells it attacks empty", c), constraints...))
		}
	}
	return []RuleGroup{
		{"occupied", "A queen in each row", occupied},
		{"kinds", "One kind of line at a time", kinds},
		{"lines", "One line at a time", lines},
		{"cells", "One cell at a time", cells},
		{"pairs", "One pair of cells at a time", pairs},
	}
}
