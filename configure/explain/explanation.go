package explain

import (
	"fmt"
	"slices"
	"strings"

	"queens/board"
)

// Verdict names the rung of the ladder that explains a cell: the cheapest one
// that suffices.
type Verdict string

const (
	HasQueen    Verdict = "queen"    // a queen stands on it
	IsBlocked   Verdict = "blocked"  // it must stay empty
	IsValid     Verdict = "valid"    // there is a completion through it: the witness
	ByConflict  Verdict = "conflict" // placed queens attack each other or stand on blocked cells, whatever the cell
	ByAttack    Verdict = "attacked" // queens attack it
	ByEmptyLine Verdict = "emptied"  // a queen here would leave a row or column without a free cell
	ByChain     Verdict = "chain"    // forced moves lead to such a line
	ByChoice    Verdict = "choice"   // every free cell of some line leads to such a line
	BySearch    Verdict = "search"   // no completion, and no short reason either
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
	// Steps lead from a queen on the cell to a contradiction, in order. They use no placed
	// queens but those of Blame where these suffice for steps as simple; if not,
	// [Explanation.Conclusion] names the others.
	Steps []Step
	// Blame is a minimal set of placed queens that, with the blocked cells, rules
	// the cell out: take any one of them back and the rest no longer do. It is
	// empty when the cell is in no solution even without the placed queens.
	Blame []board.Cell
	// Smallest says that it is proved that no set of fewer placed queens rules the
	// cell out.
	Smallest bool
	// Witness is a completion through a valid cell, in order of rows.
	Witness []board.Cell
}

// StepKind is the kind of a step.
type StepKind string

const (
	Emptied StepKind = "emptied" // Line is left without a free cell: the contradiction
	Forced  StepKind = "forced"  // Cell is the last free cell of Line
	Case    StepKind = "case"    // Cell is one of Line's free cells; the steps up to the next case refute it
)

// Step is one step of an explanation.
type Step struct {
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
func (s Step) Sentence(n int) string {
	switch s.Kind {
	case Emptied:
		return fmt.Sprintf("%s is left without a free cell%s", s.Line.Name(n), s.attackers())
	case Forced:
		return fmt.Sprintf("%s is the last free cell of %s%s", s.Cell, s.Line.Name(n), s.attackers())
	}
	return fmt.Sprintf("suppose the queen of %s stands on %s", s.Line.Name(n), s.Cell)
}

// attackers lists the attacks on the line's cells, grouped by queen.
func (s Step) attackers() string {
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
		why = fmt.Sprintf("after a queen on %s, only %s are left in %s, and each of them fails", e.Cell, list(e.cases()),
			e.Steps[0].Line.Name(n))
	default:
		why = fmt.Sprintf("no solution has a queen on %s together with the placed queens", e.Cell)
	}
	return why + "; " + e.Conclusion()
}

// Conclusion says which queens are to blame and, if the steps use others, which these are;
// without a full stop.
func (e *Explanation) Conclusion() string {
	if len(e.Blame) == 0 {
		return "no placed queen is to blame"
	}
	known := append([]board.Cell{e.Cell}, e.Blame...)
	var used []board.Cell
	for _, s := range e.Steps {
		if s.Kind != Emptied {
			known = append(known, s.Cell)
		}
		for _, c := range s.Because {
			if !slices.Contains(known, c) {
				known, used = append(known, c), append(used, c)
			}
		}
	}
	switch {
	case len(used) == 0:
		return "to blame: " + list(e.Blame)
	case len(e.Blame) == 1:
		return fmt.Sprintf("to blame: %s alone, as a search shows (the steps use more queens than are needed: also %s)",
			e.Blame[0], list(used))
	}
	return fmt.Sprintf("to blame: %s, as a search shows (the steps use more queens than are needed: also %s)",
		list(e.Blame), list(used))
}

// cases lists the cells that the steps refute one by one.
func (e *Explanation) cases() (cells []board.Cell) {
	for _, s := range e.Steps {
		if s.Kind == Case {
			cells = append(cells, s.Cell)
		}
	}
	return cells
}

// emptied says which line a queen on the cell would leave without a free cell, by attacking its last ones.
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
