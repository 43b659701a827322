package explain

import (
	"slices"

	"queens/board"
)

// refute looks for a contradiction that a person can follow, cheapest first. It
// returns BySearch without steps when it finds none.
func refute(p *board.Position) (Verdict, []Step) {
	if steps := chain(p.Clone()); len(steps) == 1 {
		return ByEmptyLine, steps
	} else if steps != nil {
		return ByChain, steps
	}
	if steps := choice(p); steps != nil {
		return ByChoice, steps
	}
	return BySearch, nil
}

// chain makes forced moves until a line has no free cell, and returns the moves
// that this needed and the line; nil when the forced moves run out first. It
// modifies p.
func chain(p *board.Position) []Step {
	start := len(p.Queens)
	moves, empty := force(p)
	if empty == nil {
		return nil
	}
	return needed(p, start, moves, empty)
}

// force makes forced moves breadth first until some lines have no free cell, and
// returns all the moves and these lines.
func force(p *board.Position) (moves []Step, empty []board.Line) {
	for {
		if empty := p.LinesLeft(0); len(empty) > 0 {
			return moves, empty
		}
		// First all moves that are forced now, then those that they force in
		// turn.
		round := p.LinesLeft(1)
		if len(round) == 0 {
			return moves, nil
		}
		for _, line := range round {
			if p.Left(line) != 1 {
				continue // filled or emptied by a move of this round
			}
			cell := p.FreeCells(line)[0]
			moves = append(moves, Step{Kind: Forced, Line: line, Cell: cell})
			p.Put(cell)
		}
	}
}

// maxChoices bounds the free cells of a line whose choices are tried one by one:
// nobody would follow an argument with more cases.
const maxChoices = 8

// choice looks for a line whose every free cell leads to a contradiction by
// forced moves, trying lines with the fewest free cells first.
func choice(p *board.Position) []Step {
	branch := p.Clone()
	try := func(c board.Cell) *board.Position {
		branch.CopyFrom(p)
		branch.Put(c)
		return branch
	}
	for free := 2; free <= min(p.N, maxChoices); free++ {
	lines:
		for _, line := range p.LinesLeft(free) {
			cells := p.FreeCells(line)
			for _, c := range cells {
				if _, empty := force(try(c)); empty == nil {
					continue lines
				}
			}
			var steps []Step
			for _, c := range cells {
				step := Step{Kind: Case, Line: line, Cell: c}
				explainLine(p, len(p.Queens), &step, nil, 0, nil)
				steps = append(append(steps, step), chain(try(c))...)
			}
			return steps
		}
	}
	return nil
}

// needed returns the moves that explain why a line is empty, for the empty line
// that needs the fewest.
func needed(p *board.Position, start int, moves []Step, empty []board.Line) []Step {
	var best []Step
	for _, line := range empty {
		want := make([]bool, len(moves))
		end := Step{Kind: Emptied, Line: line}
		explainLine(p, start, &end, moves, len(moves), want)
		var steps []Step
		for i := len(moves) - 1; i >= 0; i-- {
			if want[i] {
				move := moves[i]
				explainLine(p, start, &move, moves, i, want)
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

// explainLine records what attacks each cell of the step's line: a queen that
// stood at the start if there is one, else the earliest of the first limit moves,
// which it marks as wanted. It leaves out the step's own cell, blocked cells and,
// in a case, the cells that are free in p. The line is a row or column, so no
// queen stands on it.
func explainLine(p *board.Position, start int, step *Step, moves []Step, limit int, want []bool) {
	for _, c := range step.Line.Cells(p.N) {
		if c == step.Cell && step.Kind != Emptied || step.Kind == Case && p.IsFree(c) {
			continue
		}
		by := slices.IndexFunc(step.Because, c.Attacks)
		if by >= 0 {
			step.Attacks = append(step.Attacks, Attack{Cell: c, By: step.Because[by]})
			continue
		}
		for i, q := range p.Queens[:start+limit] {
			if !q.Attacks(c) {
				continue
			}
			if i >= start {
				want[i-start] = true
			}
			step.Because = append(step.Because, q)
			step.Attacks = append(step.Attacks, Attack{Cell: c, By: q})
			break
		} // no queen at all: the cell is blocked
	}
}
