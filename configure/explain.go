package configure

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"queens/backends"
	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
)

// Verdict says by which rung of the ladder a cell is explained: the cheapest
// that suffices.
type Verdict string

const (
	HasQueen    Verdict = "queen"    // a queen stands on it
	IsBlocked   Verdict = "blocked"  // the person keeps it empty
	IsValid     Verdict = "valid"    // there is a completion through it: the witness
	ByAttack    Verdict = "attacked" // queens attack it
	ByEmptyLine Verdict = "emptied"  // a queen here would leave a row or column without a free cell
	ByChain     Verdict = "chain"    // forced moves end in such a line
	ByChoice    Verdict = "choice"   // each cell of a line ends so
	BySearch    Verdict = "search"   // no completion, and no short reason either
)

// Explanation says why a cell can or cannot hold a queen.
type Explanation struct {
	Cell    board.Cell
	Verdict Verdict
	// AttackedBy are the queens on the board that attack the cell.
	AttackedBy []board.Cell
	// Steps lead from a queen on the cell to a contradiction, in order.
	Steps []Step
	// Blame is a minimal set of placed queens which alone, with the blocked cells,
	// rule the cell out: with any one of them taken back the rest no longer do. It
	// is empty when the cell is in no solution of the board at all.
	Blame []board.Cell
	// Witness is a completion through a valid cell, by rising row.
	Witness []board.Cell
}

// Step is one step of an explanation.
type Step struct {
	// Kind is "emptied": Line is left without a free cell; "forced": Cell is the
	// last free cell of Line; or "case": a queen on Cell, one of the free cells of
	// Line, is refuted by the steps that follow up to the next case.
	Kind string
	Line board.Line
	Cell board.Cell
	// Because holds the queens that attack the other cells of the line, those of
	// earlier steps and the asked cell included.
	Because []board.Cell
}

// Sentence writes a step for people.
func (s Step) Sentence(n int) string {
	switch s.Kind {
	case "emptied":
		return fmt.Sprintf("%s is left without a free cell", s.Line.Name(n))
	case "forced":
		return fmt.Sprintf("%s is the last free cell of %s", s.Cell, s.Line.Name(n))
	}
	return fmt.Sprintf("suppose the queen of %s stands on %s", s.Line.Name(n), s.Cell)
}

// Sentence writes the explanation for people in one sentence, without its full
// stop.
func (e *Explanation) Sentence(n int) string {
	var why string
	switch e.Verdict {
	case HasQueen:
		return fmt.Sprintf("a queen stands on %s", e.Cell)
	case IsBlocked:
		return fmt.Sprintf("%s is blocked", e.Cell)
	case IsValid:
		return fmt.Sprintf("%s is valid: there is a solution through it", e.Cell)
	case ByAttack:
		return fmt.Sprintf("%s is attacked by the queen%s on %s", e.Cell, plural(e.AttackedBy), list(e.AttackedBy))
	case ByEmptyLine:
		why = fmt.Sprintf("a queen on %s would leave %s without a free cell", e.Cell, e.Steps[len(e.Steps)-1].Line.Name(n))
	case ByChain:
		moves := len(e.Steps) - 1
		s := "s"
		if moves == 1 {
			s = ""
		}
		why = fmt.Sprintf("after a queen on %s, %d forced move%s would leave %s without a free cell", e.Cell, moves, s, e.Steps[moves].Line.Name(n))
	case ByChoice:
		why = fmt.Sprintf("after a queen on %s, every choice in %s fails", e.Cell, e.Steps[0].Line.Name(n))
	default:
		why = fmt.Sprintf("no solution has a queen on %s beside the others", e.Cell)
	}
	if len(e.Blame) == 0 {
		return why + "; no placed queen is to blame"
	}
	return fmt.Sprintf("%s; to blame: %s", why, list(e.Blame))
}

func plural(cells []board.Cell) string {
	if len(cells) == 1 {
		return ""
	}
	return "s"
}

func list(cells []board.Cell) string {
	return strings.ReplaceAll(board.FormatCells(cells), ",", ", ")
}

// Explain says why the cell can or cannot hold a queen, by the first rung that
// suffices: attacked, a line emptied, a chain of forced moves, a line whose every
// choice fails, and else only that search found nothing. All but the last can be
// followed on the board without trusting a solver.
func (s *Session) Explain(ctx context.Context, c board.Cell) (Explanation, error) {
	view, err := s.at(ctx, "explain", c)
	if err != nil {
		return Explanation{}, err
	}
	e := Explanation{Cell: c}
	switch view.Mark(c) {
	case Queen, Auto:
		e.Verdict = HasQueen
		return e, nil
	case Blocked:
		e.Verdict = IsBlocked
		return e, nil
	case Valid, Forced:
		e.Verdict = IsValid
		e.Witness, err = s.Witness(ctx, c)
		return e, err
	case Attacked:
		e.Verdict = ByAttack
		for _, q := range view.Queens() {
			if q.Attacks(c) {
				e.AttackedBy = append(e.AttackedBy, q)
			}
		}
	case Invalid:
		r := newResidual(s.state)
		r.place(c)
		e.Verdict, e.Steps = refute(r)
	}
	e.Blame, err = s.blame(ctx, c)
	return e, err
}

// refute looks for a contradiction that a person can follow.
func refute(r *residual) (Verdict, []Step) {
	if steps := propagate(r.clone()); len(steps) == 1 {
		return ByEmptyLine, steps
	} else if steps != nil {
		return ByChain, steps
	}
	// One line's choices, each refuted by a chain: the line with the fewest.
	var lines []board.Line
	for free := 2; free <= min(r.n, 8); free++ {
		lines = append(lines, r.lines(free)...)
	}
	for _, line := range lines {
		var steps []Step
		for _, c := range r.freeCells(line) {
			branch := r.clone()
			branch.place(c)
			chain := propagate(branch)
			if chain == nil {
				steps = nil
				break
			}
			steps = append(append(steps, Step{Kind: "case", Line: line, Cell: c}), chain...)
		}
		if steps != nil {
			return ByChoice, steps
		}
	}
	return BySearch, nil
}

// propagate makes the forced moves, those nearest to the start first, until a
// line is empty, and returns the moves that this needed and the line; nil when
// nothing is left to force. It uses r up.
func propagate(r *residual) []Step {
	start := len(r.queens)
	var moves []Step
	for {
		if empty := r.lines(0); len(empty) > 0 {
			return needed(r, start, moves, empty)
		}
		// All that are forced now, before those that they force in turn.
		round := r.lines(1)
		if len(round) == 0 {
			return nil
		}
		for _, line := range round {
			cells := r.freeCells(line)
			if len(cells) != 1 || (line.Kind == board.Row && r.rows[line.Index] < 0) || (line.Kind == board.Column && r.cols[line.Index] < 0) {
				continue // filled or emptied by a move of this round
			}
			moves = append(moves, Step{Kind: "forced", Line: line, Cell: cells[0]})
			r.place(cells[0])
		}
	}
}

// needed keeps, of the moves, those that the emptied line needs, for the emptied
// line that needs the fewest.
func needed(r *residual, start int, moves []Step, empty []board.Line) []Step {
	var best []Step
	for _, line := range empty {
		want := make([]bool, len(moves))
		end := Step{Kind: "emptied", Line: line, Because: because(r, start, line, board.Cell{Row: -1}, moves, len(moves), want)}
		var steps []Step
		for i := len(moves) - 1; i >= 0; i-- {
			if want[i] {
				move := moves[i]
				move.Because = because(r, start, move.Line, move.Cell, moves, i, want)
				steps = append(steps, move)
			}
		}
		slices.Reverse(steps)
		if steps = append(steps, end); best == nil || len(steps) < len(best) {
			best = steps
		}
	}
	return best
}

// because returns queens that attack every cell of the line but the spared one:
// those that stood at the start if they can, and else the earliest moves before
// the limit, which it marks as wanted. The line is a row or column, so a queen on
// it is no move.
func because(r *residual, start int, line board.Line, spare board.Cell, moves []Step, limit int, want []bool) []board.Cell {
	var queens []board.Cell
	for _, c := range line.Cells(r.n) {
		if c == spare || slices.ContainsFunc(queens, c.Attacks) {
			continue
		}
		for i, q := range r.queens[:start+limit] {
			if q.Attacks(c) {
				if i >= start {
					want[i-start] = true
				}
				queens = append(queens, q)
				break
			} // no queen at all: the cell is blocked
		}
	}
	return queens
}

// blame returns a minimal set of placed queens that with the blocked cells rule
// the cell out, by deletion with core refinement (Bakker et al., IJCAI 1993, the
// deletion filter): drop a queen; if the cell is still ruled out, go on with the
// back-end's core, which drops others too.
func (s *Session) blame(ctx context.Context, c board.Cell) ([]board.Cell, error) {
	n := s.state.N
	fixed := append(encode.Literals(n, s.state.Blocked, false), encode.CellVar(n, c).Pos())
	// ruled reports whether the queens rule the cell out, and which of them the
	// back-end needed.
	ruled := func(queens []board.Cell) ([]board.Cell, bool, error) {
		answer, err := s.oracle.Solve(ctx, append(encode.Literals(n, queens, true), fixed...))
		if err != nil {
			return nil, false, err
		}
		switch answer.Status {
		case backends.Sat:
			return nil, false, nil
		case backends.Unknown:
			return nil, false, fmt.Errorf("asking which queens rule %s out: the back-end cannot tell", c)
		}
		core := slices.DeleteFunc(slices.Clone(queens), func(q board.Cell) bool {
			return !slices.Contains(answer.Core, cnf.Lit(encode.CellVar(n, q)))
		})
		return core, true, nil
	}
	if _, out, err := ruled(nil); err != nil || out {
		return nil, err
	}
	// Now a single attacker is a minimal reason by itself.
	for _, q := range s.state.Placed {
		if q.Attacks(c) {
			return []board.Cell{q}, nil
		}
	}
	core, out, err := ruled(s.state.Placed)
	if err != nil || !out {
		if err == nil {
			err = fmt.Errorf("asking which queens rule %s out: the back-end first says that they do, then that they do not", c)
		}
		return nil, err
	}
	for i := 0; i < len(core); {
		smaller, out, err := ruled(slices.Delete(slices.Clone(core), i, i+1))
		if err != nil {
			return nil, err
		}
		if !out {
			i++ // needed
			continue
		}
		// A core keeps what is known to be needed, since without it there is none.
		core = smaller
	}
	return core, nil
}
