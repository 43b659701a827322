package lab

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

// groups divides the problem of a small board into rules: by kind of line, line by
// line, cell by cell, and pair by pair.
func groups(n int) []RuleGroup {
	occupied := RuleGroup{Name: "occupied", Title: "A queen in each row"}
	kinds := RuleGroup{Name: "kinds", Title: "One kind of line at a time"}
	lines := RuleGroup{Name: "lines", Title: "One line at a time"}
	cells := RuleGroup{Name: "cells", Title: "One cell at a time"}
	pairs := RuleGroup{Name: "pairs", Title: "One pair of cells at a time"}

	all := Rule{ID: "some:rows", Title: "every row has a queen"}
	for _, line := range board.Lines(n)[:n] {
		r := Rule{
			ID:      fmt.Sprintf("some:row:%d", line.Index+1),
			Title:   line.Name(n) + " has a queen",
			clauses: [][]cnf.Lit{encode.Literals(n, line.Cells(n), true)},
		}
		r.Formula = clauseText(n, r.clauses[0])
		occupied.Rules = append(occupied.Rules, r)
		all.clauses = append(all.clauses, r.clauses...)
		all.Formula = join(all.Formula, "("+r.Formula+")")
	}
	kinds.Rules = append(kinds.Rules, all)
	for _, kind := range []board.LineKind{board.Row, board.Column, board.Diagonal, board.AntiDiagonal} {
		whole := Rule{ID: "one:" + kind.String() + "s", Title: "at most one queen in each " + kind.String()}
		for _, line := range board.Lines(n) {
			if line.Kind != kind || len(line.Cells(n)) < 2 {
				continue
			}
			r := Rule{ID: fmt.Sprintf("one:%s:%d", kind, line.Index+1), Title: "at most one queen in " + line.Name(n)}
			on := line.Cells(n)
			for i, c := range on[:len(on)-1] {
				r.exclude(n, c, on[i+1:])
			}
			lines.Rules = append(lines.Rules, r)
			whole.clauses = append(whole.clauses, r.clauses...)
			whole.Formula = join(whole.Formula, r.Formula)
		}
		kinds.Rules = append(kinds.Rules, whole)
	}
	for i := range n * n {
		c := board.At(n, i)
		r := Rule{ID: "cell:" + c.String(), Title: fmt.Sprintf("a queen on %s keeps the cells it attacks empty", c)}
		var attacked []board.Cell
		for j := range n * n {
			if d := board.At(n, j); c.Attacks(d) {
				attacked = append(attacked, d)
				if j > i {
					pair := Rule{ID: fmt.Sprintf("pair:%s-%s", c, d), Title: fmt.Sprintf("not both %s and %s", c, d)}
					pair.exclude(n, c, []board.Cell{d})
					pairs.Rules = append(pairs.Rules, pair)
				}
			}
		}
		if len(attacked) > 0 {
			r.exclude(n, c, attacked)
			cells.Rules = append(cells.Rules, r)
		}
	}
	list := []RuleGroup{occupied, kinds, lines, cells, pairs}
	for _, g := range list {
		for i, r := range g.Rules {
			if strings.Count(r.Formula, "(") == 1 { // one group needs no parentheses
				g.Rules[i].Formula = strings.Trim(r.Formula, "()")
			}
		}
	}
	return list
}

// exclude adds to the rule that a queen on c keeps the other cells empty.
func (r *Rule) exclude(n int, c board.Cell, others []board.Cell) {
	v := encode.CellVar(n, c)
	var empty []string
	for _, d := range others {
		r.clauses = append(r.clauses, []cnf.Lit{v.Neg(), encode.CellVar(n, d).Neg()})
		empty = append(empty, "¬"+d.String())
	}
	r.Formula = join(r.Formula, fmt.Sprintf("(%s → %s)", c, strings.Join(empty, " ∧ ")))
}

func join(formula, more string) string {
	if formula == "" {
		return more
	}
	return formula + " ∧ " + more
}

func clauseText(n int, clause []cnf.Lit) string {
	var words []string
	for _, l := range clause {
		words = append(words, encode.VarCell(n, l.Var()).String())
	}
	return strings.Join(words, " ∨ ")
}
