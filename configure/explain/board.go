package explain

import (
	"fmt"
	"slices"
	"strings"

	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
)

// Line returns the line of a board of queens that a constraint is about: a row or a column.
func Line(n, constraint int) board.Line {
	if constraint < n { // the constraints of a board begin with its rows and its columns
		return board.Line{Kind: board.Row, Index: constraint}
	}
	return board.Line{Kind: board.Column, Index: constraint - n}
}

// OnBoard describes a step about a board of queens in words, without a full stop.
func (s Step) OnBoard(n int) string {
	cell, line := encode.VarCell(n, s.Literal.Var()), Line(n, s.Constraint).Name(n)
	switch s.Kind {
	case Emptied:
		return fmt.Sprintf("%s is left without a free cell%s", line, s.attackers(n))
	case Forced:
		return fmt.Sprintf("%s is the last free cell of %s%s", cell, line, s.attackers(n))
	}
	return fmt.Sprintf("suppose the queen of %s stands on %s", line, cell)
}

// attackers lists the attacks on the line's cells, grouped by queen.
func (s Step) attackers(n int) string {
	var parts []string
	for _, queen := range s.Because {
		parts = append(parts, fmt.Sprintf("%s attacks %s", list(n, queen), list(n, s.excludedBy(queen)...)))
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, "; ") + ")"
}

// OnBoard puts the explanation of a cell of a board of queens in one sentence, without a full stop.
func (e *Explanation) OnBoard(n int) string {
	var why string
	cell := list(n, e.Literal)
	attacked := fmt.Sprintf("%s is attacked by the queen%s on %s", cell, plural(len(e.ExcludedBy)), list(n, e.ExcludedBy...))
	switch e.Verdict {
	case HasQueen:
		return fmt.Sprintf("a queen stands on %s", cell)
	case IsBlocked:
		return fmt.Sprintf("%s is blocked", cell)
	case IsValid:
		return fmt.Sprintf("%s is valid: there is a solution through it", cell)
	case ByConflict:
		why = fmt.Sprintf("the queen on %s stands on a blocked cell, so there is no solution", list(n, e.Conflict...))
		if len(e.Conflict) == 2 {
			why = fmt.Sprintf("the queens on %s and %s attack each other, so there is no solution", list(n, e.Conflict[0]),
				list(n, e.Conflict[1]))
		}
		if len(e.ExcludedBy) > 0 {
			why += ", and " + attacked
		}
		if len(e.Blame) == 0 {
			return fmt.Sprintf("%s; even with no queens placed, no solution has a queen on %s", why, cell)
		}
	case ByAttack:
		return attacked
	case ByEmptyLine:
		why = e.emptied(n)
	case ByChain:
		moves := len(e.Steps) - 1
		why = fmt.Sprintf("after a queen on %s, %d forced move%s would leave %s without a free cell", cell, moves,
			plural(moves), Line(n, e.Steps[moves].Constraint).Name(n))
	case ByChoice:
		var cells []cnf.Lit
		cases, after := e.Cases(), ""
		for _, s := range cases {
			cells = append(cells, s.Literal)
		}
		if forced := slices.IndexFunc(e.Steps, func(s Step) bool { return s.Kind == Case }); forced > 0 {
			after = fmt.Sprintf(" and %d forced move%s", forced, plural(forced))
		}
		why = fmt.Sprintf("after a queen on %s%s, only %s are left in %s, and each of them fails", cell, after,
			list(n, cells...), Line(n, cases[0].Constraint).Name(n))
	default:
		why = fmt.Sprintf("no solution has a queen on %s together with the placed queens", cell)
	}
	return why + "; " + e.Conclusion(n)
}

// Conclusion says which queens of a board are to blame, without a full stop.
func (e *Explanation) Conclusion(n int) string {
	switch {
	case len(e.Blame) == 0:
		return "no placed queen is to blame"
	case e.Fewer != nil && len(e.Fewer) == 0:
		return fmt.Sprintf("to blame: %s; even with no queens placed, no solution has a queen on %s", list(n, e.Blame...),
			list(n, e.Literal))
	}
	return "to blame: " + list(n, e.Blame...) + e.aside(list(n, e.Fewer...))
}

// Cases returns the steps that try each open literal of a constraint.
func (e *Explanation) Cases() []Step {
	return slices.DeleteFunc(slices.Clone(e.Steps), func(s Step) bool { return s.Kind != Case })
}

// emptied names the line that a queen on the cell would leave without a free cell, by attacking its last
// ones.
func (e *Explanation) emptied(n int) string {
	last := e.Steps[len(e.Steps)-1]
	cell, line, attacked := list(n, e.Literal), Line(n, last.Constraint).Name(n), last.excludedBy(e.Literal)
	if len(attacked) == 0 {
		return fmt.Sprintf("a queen on %s would leave %s without a free cell", cell, line)
	}
	return fmt.Sprintf("a queen on %s would attack %s, the last free cell%s of %s", cell, list(n, attacked...),
		plural(len(attacked)), line)
}

func plural(count int) string {
	if count == 1 {
		return ""
	}
	return "s"
}

// list names the cells of literals.
func list(n int, queens ...cnf.Lit) string {
	return strings.ReplaceAll(board.FormatCells(encode.CellsOf(n, queens)), ",", ", ")
}
