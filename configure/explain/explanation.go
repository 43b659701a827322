package explain

import (
	"fmt"
	"slices"
	"strings"

	"queens/board"
)

// Explanation says why a cell can or cannot hold a queen.
type Explanation struct {
	Cell    board.Cell
	Verdict Verdict
	// Conflict holds, for ByConflict, two placed queens that attack each other, or
	// one that stands on a blocked cell.
	Conflict []board.Cell
	// AttackedBy are the placed queens that attack the cell.
	AttackedBy []board.Cell
	// Steps lead from a queen on the cell to a contradiction, in order. The only placed queens that they
	// use are those of Blame.
	Steps []BoardStep
	// Blame holds the placed queens that, together with the blocked cells, rule the cell out by the
	// steps; see [Reason.Blame].
	Blame []board.Cell
	// Fewer holds a smaller set of queens that also rules the cell out, but by a longer argument; see
	// [Reason.Fewer].
	Fewer []board.Cell
	// Smallest says that it is proved that no set of placed queens smaller than Fewer or, if that is nil, than
	// Blame rules the cell out.
	Smallest bool
	// Witness is a completion through a valid cell, in order of rows.
	Witness []board.Cell
}

// BoardStep is a [Step] about a board.
type BoardStep struct {
	Kind StepKind
	Line board.Line
	Cell board.Cell // of a forced move or a case
	// Attacks says what attacks each cell of the line that is neither free nor
	// blocked: a placed queen, the queen on the cell in question, or the queen of
	// an earlier step.
	Attacks []Attack
	// Because holds the queens of Attacks, each once.
	Because []board.Cell
}

// Attack is a cell and a queen that attacks it.
type Attack struct{ Cell, By board.Cell }

// Sentence describes the step in words, without a full stop.
func (s BoardStep) Sentence(n int) string {
	switch s.Kind {
	case Emptied:
		return fmt.Sprintf("%s is left without a free cell%s", s.Line.Name(n), s.attackers())
	case Forced:
		return fmt.Sprintf("%s is the last free cell of %s%s", s.Cell, s.Line.Name(n), s.attackers())
	}
	return fmt.Sprintf("suppose the queen of %s stands on %s", s.Line.Name(n), s.Cell)
}

// attackers lists the attacks on the line's cells, grouped by queen.
func (s BoardStep) attackers() string {
	var parts []string
	for _, q := range s.Because {
		var cells []board.Cell
		for _, a := range s.Attacks {
			if a.By == q {
				cells = append(cells, a.Cell)
			}
		}
		parts = append(parts, fmt.Sprintf("%s attacks %s", q, list(cells)))
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, "; ") + ")"
}

// Sentence puts the explanation in one sentence, without a full stop.
func (e *Explanation) Sentence(n int) string {
	var why string
	switch e.Verdict {
	case HasQueen:
		return fmt.Sprintf("a queen stands on %s", e.Cell)
	case IsBlocked:
		return fmt.Sprintf("%s is blocked", e.Cell)
	case IsValid:
		return fmt.Sprintf("%s is valid: there is a solution through it", e.Cell)
	case ByConflict:
		why = fmt.Sprintf("the queen on %s stands on a blocked cell, so there is no solution", list(e.Conflict))
		if len(e.Conflict) == 2 {
			why = fmt.Sprintf("the queens on %s and %s attack each other, so there is no solution", e.Conflict[0],
				e.Conflict[1])
		}
		if len(e.AttackedBy) > 0 {
			why += ", and " + e.attacked()
		}
		if len(e.Blame) == 0 {
			return fmt.Sprintf("%s; even with no queens placed, no solution has a queen on %s", why, e.Cell)
		}
	case ByAttack:
		return e.attacked()
	case ByEmptyLine:
		why = e.emptied(n)
	case ByChain:
		moves := len(e.Steps) - 1
		why = fmt.Sprintf("after a queen on %s, %d forced move%s would leave %s without a free cell", e.Cell, moves,
			plural(moves), e.Steps[moves].Line.Name(n))
	case ByChoice:
		var cells []board.Cell
		cases, after := e.Cases(), ""
		for _, s := range cases {
			cells = append(cells, s.Cell)
		}
		if forced := slices.IndexFunc(e.Steps, func(s BoardStep) bool { return s.Kind == Case }); forced > 0 {
			after = fmt.Sprintf(" and %d forced move%s", forced, plural(forced))
		}
		why = fmt.Sprintf("after a queen on %s%s, only %s are left in %s, and each of them fails", e.Cell, after,
			list(cells), cases[0].Line.Name(n))
	default:
		why = fmt.Sprintf("no solution has a queen on %s together with the placed queens", e.Cell)
	}
	return why + "; " + e.Conclusion()
}

// TakeBack returns the placed queens from which to choose one to take back. None of them can be spared to
// rule the cell out, so taking back any other queen does not help. There are none if the cell is in no
// solution at all.
func (e *Explanation) TakeBack() []board.Cell {
	if e.Fewer != nil {
		return e.Fewer
	}
	return e.Blame
}

// Conclusion says which queens are to blame, without a full stop.
func (e *Explanation) Conclusion() string {
	switch {
	case len(e.Blame) == 0:
		return "no placed queen is to blame"
	case e.Fewer == nil:
		return "to blame: " + list(e.Blame)
	case len(e.Fewer) == 0:
		return fmt.Sprintf("to blame: %s; even with no queens placed, no solution has a queen on %s", list(e.Blame), e.Cell)
	case len(e.Fewer) == 1:
		return fmt.Sprintf("to blame: %s (%s alone suffices, by a longer argument)", list(e.Blame), e.Fewer[0])
	}
	return fmt.Sprintf("to blame: %s (%s suffice, by a longer argument)", list(e.Blame), list(e.Fewer))
}

// Cases returns the steps that suppose a queen on each free cell of a line.
func (e *Explanation) Cases() []BoardStep {
	return slices.DeleteFunc(slices.Clone(e.Steps), func(s BoardStep) bool { return s.Kind != Case })
}

// emptied names the line that a queen on the cell would leave without a free cell, by attacking its last
// ones.
func (e *Explanation) emptied(n int) string {
	last := e.Steps[len(e.Steps)-1]
	var cells []board.Cell
	for _, a := range last.Attacks {
		if a.By == e.Cell {
			cells = append(cells, a.Cell)
		}
	}
	if len(cells) == 0 {
		return fmt.Sprintf("a queen on %s would leave %s without a free cell", e.Cell, last.Line.Name(n))
	}
	return fmt.Sprintf("a queen on %s would attack %s, the last free cell%s of %s",
		e.Cell, list(cells), plural(len(cells)), last.Line.Name(n))
}

func (e *Explanation) attacked() string {
	return fmt.Sprintf("%s is attacked by the queen%s on %s", e.Cell, plural(len(e.AttackedBy)), list(e.AttackedBy))
}

func plural(count int) string {
	if count == 1 {
		return ""
	}
	return "s"
}

func list(cells []board.Cell) string {
	return strings.ReplaceAll(board.FormatCells(cells), ",", ", ")
}
