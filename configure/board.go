package configure

import (
	"context"
	"fmt"
	"iter"
	"math/big"
	"slices"

	"queens/ask"
	"queens/backends"
	"queens/board"
	"queens/configure/explain"
	"queens/encode"
	"queens/encode/cnf"
)

// Board is a session on a board of queens: cells in place of literals, and what happens to
// forced cells.
type Board struct {
	Session
	n    int
	mode Mode
	view *View           // of the state; nil until asked for
	of   *backends.Valid // what view was made from
}

// New begins a session on an empty board. The back-end must be for the empty
// board of that size.
func New(n int, by backends.Backend) *Board {
	return &Board{Session: Session{by: by}, n: n}
}

// Open begins a session at a state, without a history. A state without a
// completion is refused with a [*Refusal] of the first decision that leaves none,
// unless nothing is decided: the board of n = 3 can be opened, but nothing can be
// placed on it.
func Open(ctx context.Context, state State, by backends.Backend) (*Board, error) {
	if err := state.Check(); err != nil {
		return nil, err
	}
	s := New(state.N, by)
	s.mode, s.decided = state.Mode, state.Assumptions()
	view, err := s.View(ctx)
	if err != nil || view.Satisfiable || len(state.Placed)+len(state.Blocked) == 0 {
		return s, err
	}
	// Find the first decision that leaves no completion.
	s.enter(nil)
	for _, c := range state.Blocked {
		if err := s.Block(ctx, c); err != nil {
			return nil, err
		}
	}
	for _, c := range state.Placed {
		if err := s.Place(ctx, c); err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("the back-end contradicts itself: %s has no completion, but every step towards it has one",
		state.Query())
}

// State returns what has been decided.
func (s *Board) State() State {
	state := State{N: s.n, Mode: s.mode}
	for _, l := range s.decided {
		if c := encode.VarCell(s.n, l.Var()); l.Positive() {
			state.Placed = append(state.Placed, c)
		} else {
			state.Blocked = append(state.Blocked, c)
		}
	}
	return state
}

// View asks the back-end what follows from the state, and keeps the answer
// until the state or the back-end changes.
func (s *Board) View(ctx context.Context) (*View, error) {
	found, err := s.follows(ctx)
	if err != nil {
		return nil, fmt.Errorf("finding the valid cells of n = %d with %d queens placed: %w", s.n,
			len(s.State().Placed), err)
	}
	if s.view == nil || s.of != found {
		s.view, s.of = view(s.State(), *found), found
	}
	return s.view, nil
}

func (s *Board) lit(c board.Cell) cnf.Lit { return encode.CellVar(s.n, c).Pos() }

func refuse(action string, c board.Cell, why string) error {
	return &Refusal{Action: action + " " + c.String(), Why: why}
}

// Place puts a queen on a valid cell. It refuses any other cell, with the
// reason.
func (s *Board) Place(ctx context.Context, c board.Cell) error {
	view, err := s.at(ctx, "place", c)
	if err != nil {
		return err
	}
	switch mark := view.Mark(c); {
	case mark.Open():
		s.do(with(s.decided, s.lit(c)))
		return nil
	case mark == Queen, mark == Auto:
		return refuse("place", c, "a queen stands there")
	case mark == Blocked:
		return refuse("place", c, "the cell is blocked")
	}
	why, err := s.Explain(ctx, c)
	if err != nil {
		return err
	}
	return &Refusal{Action: "place " + c.String(), Why: why.OnBoard(s.n), Explanation: &why}
}

// Remove takes a placed queen back. It refuses to take back a queen that was
// placed automatically, since it follows from the others.
func (s *Board) Remove(ctx context.Context, c board.Cell) error {
	view, err := s.at(ctx, "remove", c)
	switch {
	case err != nil:
		return err
	case view.Mark(c) == Auto:
		return refuse("remove", c, "the queen follows from the others; take back one of them")
	case view.Mark(c) != Queen:
		return refuse("remove", c, "no queen stands there")
	}
	s.do(without(s.decided, s.lit(c)))
	return nil
}

// Block makes a cell stay empty. It is refused when every completion has a
// queen there.
func (s *Board) Block(ctx context.Context, c board.Cell) error {
	view, err := s.at(ctx, "block", c)
	switch {
	case err != nil:
		return err
	case view.Mark(c) == Queen:
		return refuse("block", c, "a queen stands there")
	case view.Mark(c) == Blocked:
		return refuse("block", c, "the cell is already blocked")
	case slices.ContainsFunc(view.Forced, func(r Reason) bool { return r.Cell == c }):
		return refuse("block", c, "every completion has a queen there")
	case !view.Satisfiable:
		return refuse("block", c, "the board already has no solution")
	}
	s.do(with(s.decided, s.lit(c).Not()))
	return nil
}

// Unblock frees a blocked cell.
func (s *Board) Unblock(ctx context.Context, c board.Cell) error {
	view, err := s.at(ctx, "unblock", c)
	switch {
	case err != nil:
		return err
	case view.Mark(c) != Blocked:
		return refuse("unblock", c, "the cell is not blocked")
	}
	s.do(without(s.decided, s.lit(c).Not()))
	return nil
}

// SetMode says what happens to forced cells from now on. It is a setting rather
// than an action, so Undo does not affect it.
func (s *Board) SetMode(m Mode) {
	s.mode, s.view = m, nil
}

// at checks that an action's cell is on the board, and returns the view by which to judge the action.
func (s *Board) at(ctx context.Context, action string, c board.Cell) (*View, error) {
	if !c.On(s.n) {
		return nil, refuse(action, c, fmt.Sprintf("the cell is off the board: for n = %d cells go from a1 to %s",
			s.n, board.Cell{Row: s.n - 1, Col: s.n - 1}))
	}
	return s.View(ctx)
}

// Solutions iterates over the completions of the state, each as its queens in order of rows.
// It asks the given back-end of the same board, which may differ from the session's own.
func (s *Board) Solutions(ctx context.Context, by backends.Backend) iter.Seq2[[]board.Cell, error] {
	return func(yield func([]board.Cell, error) bool) {
		for model, err := range by.Solutions(ctx, s.decided) {
			if !yield(encode.CellsOf(s.n, model), err) {
				return
			}
		}
	}
}

// Counts holds the numbers of completions of a state.
type Counts struct {
	Total *big.Int
	// Through holds the number through each cell, row by row.
	Through []*big.Int
}

// Count counts the completions, and those through every cell. It asks the given
// back-end of the same board, which may differ from the session's own.
func (s *Board) Count(ctx context.Context, by *ask.Opened) (*Counts, error) {
	a, err := by.Ask(ctx, ask.Question{Assume: s.decided, Want: ask.CountEach})
	if err != nil {
		return nil, err
	}
	return &Counts{a.Count, a.Each}, nil
}

// fewestWithin bounds the steps of looking for the fewest decisions to blame, since a person is waiting: about
// a twentieth of a second.
const fewestWithin = 100_000

// Explain says why the cell can or cannot hold a queen, in terms of the queens
// that the person has placed.
func (s *Board) Explain(ctx context.Context, c board.Cell) (explain.Explanation, error) {
	view, err := s.at(ctx, "explain", c)
	if err != nil {
		return explain.Explanation{}, err
	}
	mark := view.Mark(c)
	if mark == Auto { // placed automatically, but still a queen
		return explain.Explanation{Literal: s.lit(c), Verdict: explain.HasQueen}, nil
	}
	if s.why == nil {
		p, err := encode.Queens(s.n, nil, nil)
		if err != nil {
			return explain.Explanation{}, err
		}
		s.why = explain.New(p, s.by)
	}
	e, err := s.why.Explain(ctx, explain.Question{
		Literal: s.lit(c), Given: encode.Literals(s.n, view.State.Placed, true),
		Always: encode.Literals(s.n, view.State.Blocked, false), Smallest: fewestWithin,
	})
	if err == nil && mark == Attacked {
		// Queens that were placed automatically may attack it as well, or be the
		// only ones that do.
		e.Verdict, e.ExcludedBy, e.Steps = explain.ByAttack, nil, nil
		for _, q := range view.Queens() {
			if q.Attacks(c) {
				e.ExcludedBy = append(e.ExcludedBy, s.lit(q))
			}
		}
	}
	return e, err
}
