package configure

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/big"
	"slices"

	"queens/backends"
	"queens/board"
	"queens/explain"
)

// Oracle is what a session asks: a back-end for the empty board.
type Oracle = backends.Oracle

// Session is one person's board: a state, its history, and a back-end that
// knows what follows. It serves one goroutine at a time.
type Session struct {
	oracle backends.Oracle
	state  State
	past   []step // actions done, the latest last
	future []step // actions undone, the next to redo last
	view   *View  // of state; nil until asked for
}

// step is one action with the states before and after it.
type step struct {
	before, after State
}

// New begins a session on an empty board. The back-end must be for the empty
// board of that size.
func New(n int, oracle backends.Oracle) *Session {
	return &Session{oracle: oracle, state: State{N: n}}
}

// Open begins a session at a state, without a history. A state without a
// completion is refused with a [*Refusal] of the first decision that leaves none,
// unless nothing is decided: the board of n = 3 can be opened, but nothing can be
// placed on it.
func Open(ctx context.Context, state State, oracle backends.Oracle) (*Session, error) {
	if err := state.Check(); err != nil {
		return nil, err
	}
	s := New(state.N, oracle)
	s.state = state
	view, err := s.View(ctx)
	if err != nil || view.Satisfiable || len(state.Placed)+len(state.Blocked) == 0 {
		return s, err
	}
	// Find the first decision that leaves no completion.
	s.state, s.view = State{N: state.N, Mode: state.Mode}, nil
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

// Use changes the back-end and keeps the state and its history.
func (s *Session) Use(oracle backends.Oracle) { s.oracle, s.view = oracle, nil }

// State returns what has been decided.
func (s *Session) State() State { return s.state }

// Refusal is the error for a decision that was refused because it would leave
// no completion or makes no sense on this board.
type Refusal struct {
	Action string // "place a1"
	Why    string // a sentence without a full stop
	// Explanation says more about a cell that cannot hold a queen; nil for
	// other refusals.
	Explanation *explain.Explanation
}

func (r *Refusal) Error() string { return fmt.Sprintf("cannot %s: %s", r.Action, r.Why) }

func refuse(action string, c board.Cell, why string) error {
	return &Refusal{Action: action + " " + c.String(), Why: why}
}

// do carries out an action.
func (s *Session) do(after State) {
	s.past = append(s.past, step{s.state, after})
	s.future = nil
	s.enter(after)
}

func (s *Session) enter(state State) { s.state, s.view = state, nil }

// Place puts a queen on a valid cell. It refuses any other cell, with the
// reason.
func (s *Session) Place(ctx context.Context, c board.Cell) error {
	view, err := s.at(ctx, "place", c)
	if err != nil {
		return err
	}
	switch view.Mark(c) {
	case Valid, Forced:
	case Queen, Auto:
		return refuse("place", c, "a queen stands there")
	case Blocked:
		return refuse("place", c, "the cell is blocked")
	default:
		why, err := s.Explain(ctx, c)
		if err != nil {
			return err
		}
		return &Refusal{Action: "place " + c.String(), Why: why.Sentence(s.state.N), Explanation: &why}
	}
	after := s.state
	after.Placed = with(after.Placed, c)
	s.do(after)
	return nil
}

// Remove takes a placed queen back. It refuses to take back a queen that was
// placed automatically, since it follows from the others.
func (s *Session) Remove(ctx context.Context, c board.Cell) error {
	if !slices.Contains(s.state.Placed, c) {
		view, err := s.at(ctx, "remove", c)
		if err != nil {
			return err
		}
		if view.Mark(c) == Auto {
			return refuse("remove", c, "the queen follows from the others; take back one of them")
		}
		return refuse("remove", c, "no queen stands there")
	}
	after := s.state
	after.Placed = without(after.Placed, c)
	s.do(after)
	return nil
}

// Block makes a cell stay empty. It is refused when every completion has a
// queen there.
func (s *Session) Block(ctx context.Context, c board.Cell) error {
	view, err := s.at(ctx, "block", c)
	if err != nil {
		return err
	}
	switch view.Mark(c) {
	case Queen:
		return refuse("block", c, "a queen stands there")
	case Blocked:
		return refuse("block", c, "the cell is already blocked")
	}
	if slices.ContainsFunc(view.Forced, func(r Reason) bool { return r.Cell == c }) {
		return refuse("block", c, "every completion has a queen there")
	}
	if !view.Satisfiable {
		return refuse("block", c, "the board already has no solution")
	}
	after := s.state
	after.Blocked = with(after.Blocked, c)
	s.do(after)
	return nil
}

// Unblock frees a blocked cell.
func (s *Session) Unblock(ctx context.Context, c board.Cell) error {
	if !slices.Contains(s.state.Blocked, c) {
		return refuse("unblock", c, "the cell is not blocked")
	}
	after := s.state
	after.Blocked = without(after.Blocked, c)
	s.do(after)
	return nil
}

// Clear takes back all queens and blocked cells. The mode stays.
func (s *Session) Clear() {
	if len(s.state.Placed)+len(s.state.Blocked) > 0 {
		s.do(State{N: s.state.N, Mode: s.state.Mode})
	}
}

// SetMode says what happens to forced cells from now on. It is a setting rather
// than an action, so Undo does not affect it.
func (s *Session) SetMode(m Mode) {
	after := s.state
	after.Mode = m
	s.enter(after)
}

// Undo takes the last action back and reports whether there was one.
func (s *Session) Undo() bool {
	return s.move(&s.past, &s.future, func(last step) State { return last.before })
}

// Redo repeats the action that was undone last, unless another action followed,
// and reports whether there was one.
func (s *Session) Redo() bool {
	return s.move(&s.future, &s.past, func(next step) State { return next.after })
}

// move moves the last action of one list to the other, and enters its state in the mode in
// force.
func (s *Session) move(from, to *[]step, state func(step) State) bool {
	if len(*from) == 0 {
		return false
	}
	action := (*from)[len(*from)-1]
	*from, *to = (*from)[:len(*from)-1], append(*to, action)
	entered := state(action)
	entered.Mode = s.state.Mode
	s.enter(entered)
	return true
}

// at checks that an action's cell is on the board and returns the view to judge
// it by.
func (s *Session) at(ctx context.Context, action string, c board.Cell) (*View, error) {
	if !c.On(s.state.N) {
		return nil, refuse(action, c, fmt.Sprintf("the cell is off the board: for n = %d cells go from a1 to %s",
			s.state.N, board.Cell{Row: s.state.N - 1, Col: s.state.N - 1}))
	}
	return s.View(ctx)
}

// Solutions iterates over the completions of the state, each as its queens in order of rows.
// It asks the given back-end of the same board, which may differ from the session's own, and
// fails at once when that cannot list solutions.
func (s *Session) Solutions(ctx context.Context, by any) iter.Seq2[[]board.Cell, error] {
	return func(yield func([]board.Cell, error) bool) {
		lister, can := by.(backends.Enumerator)
		if !can {
			yield(nil, errors.New("listing solutions: the back-end cannot list them"))
			return
		}
		for model, err := range lister.Solutions(ctx, s.state.Assumptions()) {
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(solution(s.state.N, model), nil) {
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
func (s *Session) Count(ctx context.Context, by backends.VarCounter) (*Counts, error) {
	total, each, err := by.CountEach(ctx, s.state.Assumptions())
	if err != nil {
		return nil, err
	}
	return &Counts{total, each}, nil
}
