package api

import (
	"context"
	"slices"

	"queens/backends/local"
)

const (
	maxRepairN = 60   // the largest board that is animated
	maxEvents  = 2000 // steps in one answer
)

// RepairRequest asks for the course of a local search, to be animated.
type RepairRequest struct {
	Board
	Method string `json:"method,omitempty"` // min-conflicts when absent
	Init   string `json:"init,omitempty"`   // random when absent
	Seed   uint64 `json:"seed,omitempty"`
}

// RepairAnswer is its course.
type RepairAnswer struct {
	Method string        `json:"method"`
	Init   string        `json:"init"`
	Seed   uint64        `json:"seed"`
	Found  bool          `json:"found"` // false: not found, which proves nothing
	Events []RepairEvent `json:"events"`
	// Cut says that the search went on after the last event.
	Cut bool `json:"cut"`
}

// RepairEvent is a board as set up, with step 0, or after a step.
type RepairEvent struct {
	Try  int   `json:"try"`
	Step int64 `json:"step"`
	// Rows is the row, from 0, of each column's queen: at step 0 only.
	Rows  []int32 `json:"rows,omitempty"`
	Moves []Move  `json:"moves"`
	// Conflicts is the number of pairs of queens that attack each other.
	Conflicts int `json:"conflicts"`
}

// Move is one queen's move within its column.
type Move struct {
	Col  int `json:"col"`
	From int `json:"from"`
	To   int `json:"to"`
}

func (s *Service) repair(ctx context.Context, r RepairRequest) (*RepairAnswer, error) {
	state, err := r.state()
	if err != nil {
		return nil, err
	}
	if state.N > maxRepairN {
		return nil, badRequest("board size n = %d: local search is shown for 1 to %d", state.N, maxRepairN)
	}
	if r.Method == "" {
		r.Method = string(local.MinConflicts)
	}
	if r.Init == "" {
		r.Init = string(local.Random)
	}
	if !slices.Contains(local.Methods(), local.Method(r.Method)) {
		return nil, badRequest("method %q: expected one of %v", r.Method, local.Methods())
	}
	if !slices.Contains(local.Inits(), local.Init(r.Init)) {
		return nil, badRequest("init %q: expected one of %v", r.Init, local.Inits())
	}
	if r.Method == string(local.Swap) && r.Init == string(local.Random) {
		return nil, badRequest("method swap exchanges rows, so it cannot mend init random; take permutation")
	}
	answer := &RepairAnswer{Method: r.Method, Init: r.Init, Seed: r.Seed, Events: []RepairEvent{}}
	result, err := local.Solve(ctx, local.Problem{N: state.N, Placed: state.Placed, Blocked: state.Blocked}, local.Options{
		Method: local.Method(r.Method), Init: local.Init(r.Init), Seed: r.Seed, Tries: 8,
		Watch: func(e local.Event) {
			if answer.Cut = len(answer.Events) == maxEvents; answer.Cut {
				return
			}
			event := RepairEvent{Try: e.Try, Step: e.Step, Moves: []Move{}, Conflicts: conflicts(e.Rows)}
			if e.Step == 0 {
				event.Rows = slices.Clone(e.Rows)
			}
			for _, m := range e.Moves {
				event.Moves = append(event.Moves, Move{m.Col, m.From, m.To})
			}
			answer.Events = append(answer.Events, event)
		},
	})
	answer.Found = result.Found
	return answer, err
}

// conflicts counts the pairs of queens, one in each column, that attack each
// other.
func conflicts(rows []int32) int {
	pairs := 0
	for c, r := range rows {
		for d, s := range rows[:c] {
			if gap := int32(c - d); r == s || r-s == gap || s-r == gap {
				pairs++
			}
		}
	}
	return pairs
}
