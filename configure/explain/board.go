package explain

import (
	"fmt"
	"strings"

	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
)

// Line returns the row or column of a board of queens that a step is about: the problem's first constraints are those of
// the rows and columns, in the order of [board.Lines].
func (s Step) Line(n int) board.Line { return board.Lines(n)[s.Constraint] }

// OnBoard describes a step about a board of queens in words, without a full stop.
func (s Step) OnBoard(n int) string {
	cell, line := encode.VarCell(n, s.Literal.Var()), s.Line(n).Name(n)
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
		excluded, _ := s.excludedBy(queen)
		parts = append(parts, fmt.Sprintf("%s attacks %s", list(n, queen), list(n, excluded...)))
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, "; ") + ")"
}

// OnBoard puts the explanation of a cell of a board of queens in one sentence, without a full stop.
func (e *Explanation) OnBoard(n int) string {
	var why, line string
	cell, turn := list(n, e.Literal), e.Turn()
	if len(e.Steps) > 0 {
		line = turn.Line(n).Name(n)
	}
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
		why = fmt.Sprintf("a queen on %s would leave %s without a free cell", cell, line)
		if attacked, _ := turn.excludedBy(e.Literal); len(attacked) > 0 {
			why = fmt.Sprintf("a queen on %s would attack %s, the last free cell%s of %s", cell, list(n, attacked...),
				plural(len(attacked)), line)
		}
	case ByChain:
		moves := len(e.Steps) - 1
		why = fmt.Sprintf("after a queen on %s, %d forced move%s would leave %s without a free cell", cell, moves,
			plural(moves), line)
	case ByChoice:
		var cells []cnf.Lit
		moves := 0 // before the first case
		for _, s := range e.Steps {
			if s.Kind == Case {
				cells = append(cells, s.Literal)
			} else if cells == nil {
				moves++
			}
		}
		after := ""
		if moves > 0 {
			after = fmt.Sprintf(" and %d forced move%s", moves, plural(moves))
		}
		why = fmt.Sprintf("after a queen on %s%s, only %s are left in %s, and each of them fails", cell, after,
			list(n, cells...), line)
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

// Turn returns the step on which the argument turns: the first case, or else the contradiction; an empty step if
// there is no argument.
func (e *Explanation) Turn() (turn Step) {
	for _, turn = range e.Steps {
		if turn.Kind == Case {
			break
		}
	}
	return turn
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
