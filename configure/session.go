package configure

import (
	"context"
	"fmt"
	"slices"

	"queens/backends"
	"queens/configure/explain"
	"queens/encode/cnf"
)

// Session holds what one person has decided about a problem, as literals, with its history, and a
// back-end that knows what follows. It is not safe for concurrent use.
type Session struct {
	by      backends.Backend   // for the problem with nothing decided
	decided []cnf.Lit          // in order of deciding; never changed in place
	past    [][]cnf.Lit        // decisions before each action, the latest last
	future  [][]cnf.Lit        // decisions that were undone, the next to redo last
	found   *backends.Valid    // what follows from decided; nil until asked for
	why     *explain.Explainer // on a board; nil until asked for
}

// Use changes the back-end and keeps the decisions and their history.
func (s *Session) Use(by backends.Backend) { s.by, s.found, s.why = by, nil, nil }

// Refusal is the error for a decision that was refused because it would leave no completion or is
// invalid.
type Refusal struct {
	Action string // "place a1"
	Why    string // a sentence without a full stop
	// Misnamed says that no option has the name: a mistake, not an answer.
	Misnamed bool
	// Explanation says more about a cell that cannot hold a queen; nil for
	// other refusals.
	Explanation *explain.Explanation
}

func (r *Refusal) Error() string { return fmt.Sprintf("cannot %s: %s", r.Action, r.Why) }

// do carries out an action.
func (s *Session) do(after []cnf.Lit) {
	s.past = append(s.past, s.decided)
	s.future = nil
	s.enter(after)
}

func (s *Session) enter(decided []cnf.Lit) { s.decided, s.found = decided, nil }

// Clear drops all decisions.
func (s *Session) Clear() {
	if len(s.decided) > 0 {
		s.do(nil)
	}
}

// Undo undoes the last action. It is refused if there is none.
func (s *Session) Undo() error {
	return s.move(&s.past, &s.future, &Refusal{Action: "undo", Why: "nothing has been done"})
}

// Redo repeats the action that was undone last. It is refused if there is none, or if another action
// followed.
func (s *Session) Redo() error {
	return s.move(&s.future, &s.past, &Refusal{Action: "redo", Why: "nothing has been undone"})
}

// move makes the last decisions of one list the current ones, and appends the previous ones to the other
// list. It returns none if the first list is empty.
func (s *Session) move(from, to *[][]cnf.Lit, none error) error {
	last := len(*from) - 1
	if last < 0 {
		return none
	}
	*to = append(*to, s.decided)
	s.enter((*from)[last])
	*from = (*from)[:last]
	return nil
}

// follows asks the back-end, by its best method, what follows from the decisions. It keeps the answer
// until the decisions or the back-end change.
func (s *Session) follows(ctx context.Context) (*backends.Valid, error) {
	if s.found == nil {
		found, err := s.by.Valid(ctx, s.decided, "")
		if err != nil {
			return nil, err
		}
		s.found = &found
	}
	return s.found, nil
}

func with[T any](list []T, more T) []T { return append(slices.Clone(list), more) }

func without[T comparable](list []T, less T) []T {
	return slices.DeleteFunc(slices.Clone(list), func(t T) bool { return t == less })
}
