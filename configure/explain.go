package configure

import (
	"context"
	"time"

	"queens/board"
	"queens/explain"
)

// fewestWithin bounds how long an explanation may look for the fewest queens to
// blame, since a person is waiting.
const fewestWithin = 100 * time.Millisecond

// Explain says why the cell can or cannot hold a queen, in terms of the queens
// that the person has placed.
func (s *Board) Explain(ctx context.Context, c board.Cell) (explain.Explanation, error) {
	view, err := s.at(ctx, "explain", c)
	if err != nil {
		return explain.Explanation{}, err
	}
	mark := view.Mark(c)
	if mark == Auto { // placed automatically, but still a queen
		return explain.Explanation{Cell: c, Verdict: explain.HasQueen}, nil
	}
	e, err := explain.Explain(ctx, s.oracle, explain.Question{
		N: s.n, Placed: view.State.Placed, Blocked: view.State.Blocked, Cell: c, Smallest: fewestWithin,
	})
	if err == nil && mark == Attacked {
		// Queens that were placed automatically may attack it as well, or be the
		// only ones that do.
		e.Verdict, e.AttackedBy, e.Steps = explain.ByAttack, nil, nil
		for _, q := range view.Queens() {
			if q.Attacks(c) {
				e.AttackedBy = append(e.AttackedBy, q)
			}
		}
	}
	return e, err
}
