package lesson

import (
	"cmp"
	"context"
	"slices"

	"queens/backends/localsearch"
	"queens/configure"
)

const (
	maxRepairN = 60   // the largest board whose local search is shown
	maxEvents  = 2000 // events in one course
)

// RepairOptions say how to search. Empty names mean min-conflicts from a random
// set-up.
type RepairOptions struct {
	Method string `json:"method,omitempty"` // min-conflicts when absent
	Init   string `json:"init,omitempty"`   // random when absent
	Seed   uint64 `json:"seed,omitempty"`
}

// Course is the course of a local search, board by board.
type Course struct {
	Method string        `json:"method"`
	Init   string        `json:"init"`
	Seed   uint64        `json:"seed"`
	Found  bool          `json:"found"` // false proves nothing
	Events []RepairEvent `json:"events"`
	// Cut says that the search continued after the last event.
	Cut bool `json:"cut"`
}

// RepairEvent is a board after a step; step 0 is the set-up.
type RepairEvent struct {
	Try  int   `json:"try"`
	Step int64 `json:"step"`
	// Rows is the row, from 0, of each column's queen; only at step 0.
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

// Repair runs a local search from a placement, whose queens stay, and records
// its course.
func Repair(ctx context.Context, state configure.State, o RepairOptions) (*Course, error) {
	if state.N > maxRepairN {
		return nil, badInput("board size n = %d: local search is shown for 1 to %d", state.N, maxRepairN)
	}
	o.Method = cmp.Or(o.Method, string(localsearch.MinConflicts))
	o.Init = cmp.Or(o.Init, string(localsearch.Random))
	course := &Course{Method: o.Method, Init: o.Init, Seed: o.Seed, Events: []RepairEvent{}}
	watch := func(e localsearch.Event) {
		if course.Cut = len(course.Events) == maxEvents; course.Cut {
			return
		}
		event := RepairEvent{Try: e.Try, Step: e.Step, Moves: []Move{}, Conflicts: conflicts(e.Rows)}
		if e.Step == 0 {
			event.Rows = slices.Clone(e.Rows)
		}
		for _, m := range e.Moves {
			event.Moves = append(event.Moves, Move(m))
		}
		course.Events = append(course.Events, event)
	}
	b := localsearch.Board{N: state.N, Placed: state.Placed, Blocked: state.Blocked}
	result, err := localsearch.Solve(ctx, b, localsearch.Options{
		Method: localsearch.Method(o.Method), Init: localsearch.Init(o.Init), Seed: o.Seed, Tries: 8, Watch: watch,
	})
	if err != nil && ctx.Err() == nil { // invalid options
		err = badInput("%v", err)
	}
	course.Found = result.Found
	return course, err
}

// conflicts returns the number of pairs of queens, one queen per column, that
// attack each other.
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
