package lesson

import (
	"context"
	"fmt"
	"time"

	"queens/backends/localsearch"
	"queens/board"
	"queens/configure"
	"queens/configure/pool"
)

// Lap is the race at one board size: the time each entrant takes to build and
// to answer one valid-cell question, with the same queens placed for all.
type Lap struct {
	N      int       `json:"n"`
	Placed []string  `json:"placed"`
	Rows   []Entrant `json:"rows"`
}

// Race asks every entrant on a board of size n with some queens placed: those in the
// first columns of a solution that local search finds from the seed.
func Race(ctx context.Context, warm *pool.Pool, n, placed int, seed uint64, orderName string) (*Lap, error) {
	if n < 4 || n > warm.Limits().MaxBDD {
		return nil, badInput("board size n = %d: the race is run for 4 to %d", n, warm.Limits().MaxBDD)
	}
	if placed < 0 || placed >= n {
		return nil, badInput("%d queens placed: expected 0 to %d on a board of size %d", placed, n-1, n)
	}
	solved, err := localsearch.Solve(ctx, localsearch.Board{N: n}, localsearch.Options{
		Method: localsearch.MinConflicts, Init: localsearch.Random, Seed: seed,
	})
	if err == nil && !solved.Found {
		err = fmt.Errorf("local search with seed %d found no solution of size %d to race on", seed, n)
	}
	if err != nil {
		return nil, err
	}
	state := configure.State{N: n}
	for col := range placed {
		state.Placed = append(state.Placed, board.Cell{Row: int(solved.Rows[col]), Col: col})
	}
	c, err := compare(ctx, warm, state, orderName, 400*time.Millisecond)
	if err != nil {
		return nil, err
	}
	return &Lap{N: n, Placed: Names(state.Placed), Rows: c.Rows}, nil
}
