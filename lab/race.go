package lab

import (
	"context"
	"time"

	"queens/board"
	"queens/configure"
	"queens/configure/engines"
)

// Lap is the race at one board size: what it takes to build, and to answer one
// valid-cell question, with the same queens placed for all.
type Lap struct {
	N      int       `json:"n"`
	Placed []string  `json:"placed"`
	Rows   []Entrant `json:"rows"`
}

// Race has every entrant answer on a board of size n with so many queens placed, those
// of the first rows of a solution that local search finds from the seed.
func Race(ctx context.Context, pool *engines.Pool, n, placed int, seed uint64, orderName string) (*Lap, error) {
	if n < 4 || n > pool.Limits().MaxBDD {
		return nil, badInput("board size n = %d: the race is run for 4 to %d", n, pool.Limits().MaxBDD)
	}
	if placed < 0 || placed >= n {
		return nil, badInput("placed %d: expected 0 to %d queens on a board of %d", placed, n-1, n)
	}
	course, err := Repair(ctx, configure.State{N: n}, RepairOptions{Seed: seed})
	if err != nil {
		return nil, err
	}
	rows := final(course)
	state := configure.State{N: n}
	for col := range placed {
		state.Placed = append(state.Placed, board.Cell{Row: int(rows[col]), Col: col})
	}
	c, err := compare(ctx, pool, state, orderName, 400*time.Millisecond)
	if err != nil {
		return nil, err
	}
	return &Lap{N: n, Placed: Names(state.Placed), Rows: c.Rows}, nil
}

// final is the board at the end of a course.
func final(c *Course) []int32 {
	var rows []int32
	for _, e := range c.Events {
		if e.Rows != nil {
			rows = append([]int32{}, e.Rows...)
		}
		for _, m := range e.Moves {
			rows[m.Col] = int32(m.To)
		}
	}
	return rows
}
