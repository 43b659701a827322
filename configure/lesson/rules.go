package lesson

import (
	"fmt"
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

	clauses [][]cnf.Lit
}

// newRule makes a rule of clauses, each of which says that one of some cells has a queen, or that not
// both of two have. Those with the same first cell are one implication of the formula.
func newRule(n int, id, title string, clauses [][]cnf.Lit) Rule {
	name := func(l cnf.Lit) string { return encode.VarCell(n, l.Var()).String() }
	var parts []string
	for i, clause := range clauses {
		switch first := clause[0]; {
		case first.Positive():
			words := make([]string, len(clause))
			for i, l := range clause {
				words[i] = name(l)
			}
			parts = append(parts, strings.Join(words, " ∨ "))
		case i > 0 && first == clauses[i-1][0]:
			parts[len(parts)-1] += " ∧ ¬" + name(clause[1])
		default:
			parts = append(parts, name(first)+" → ¬"+name(clause[1]))
		}
	}
	formula := strings.Join(parts, ") ∧ (")
	if len(parts) > 1 {
		formula = "(" + formula + ")"
	}
	return Rule{id, title, formula, clauses}
}

// excluding returns clauses: a queen on c keeps the other cells empty.
func excluding(n int, c board.Cell, others []board.Cell) (clauses [][]cnf.Lit) {
	for _, d := range others {
		clauses = append(clauses, []cnf.Lit{encode.CellVar(n, c).Neg(), encode.CellVar(n, d).Neg()})
	}
	return clauses
}

// groups divides the problem of a small board into rules: by kind of line, line by
// line, cell by cell, and pair by pair.
func groups(n int) []RuleGroup {
	var occupied, kinds, lines, cells, pairs []Rule
	var all [][]cnf.Lit
	for _, line := range board.Lines(n)[:n] {
		clause := encode.Literals(n, line.Cells(n), true)
		occupied = append(occupied,
			newRule(n, fmt.Sprintf("some:row:%d", line.Index+1), line.Name(n)+" has a queen", [][]cnf.Lit{clause}))
		all = append(all, clause)
	}
	kinds = append(kinds, newRule(n, "some:rows", "every row has a queen", all))
	for _, kind := range []board.LineKind{board.Row, board.Column, board.Diagonal, board.AntiDiagonal} {
		all = nil
		for _, line := range board.Lines(n) {
			on := line.Cells(n)
			if line.Kind != kind || len(on) < 2 {
				continue
			}
			var clauses [][]cnf.Lit
			for i, c := range on {
				clauses = append(clauses, excluding(n, c, on[i+1:])...)
			}
			lines = append(lines,
				newRule(n, fmt.Sprintf("one:%s:%d", kind, line.Index+1), "at most one queen in "+line.Name(n), clauses))
			all = append(all, clauses...)
		}
		kinds = append(kinds, newRule(n, "one:"+kind.String()+"s", "at most one queen in each "+kind.String(), all))
	}
	for i := range n * n {
		c := board.At(n, i)
		var attacked []board.Cell
		for j := range n * n {
			d := board.At(n, j)
			if !c.Attacks(d) {
				continue
			}
			attacked = append(attacked, d)
			if j > i {
				pairs = append(pairs, newRule(n, fmt.Sprintf("pair:%s-%s", c, d), fmt.Sprintf("not both %s and %s", c, d),
					excluding(n, c, []board.Cell{d})))
			}
		}
		if len(attacked) > 0 {
			cells = append(cells, newRule(n, "cell:"+c.String(), fmt.Sprintf("a queen on %s keeps the cells it attacks empty", c),
				excluding(n, c, attacked)))
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
