package lab

import (
	"context"
	"math"
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
	// BreakEven is, for each row, the number of questions from which the diagram, built
	// first, has cost less in all; 0 for the diagram itself, -1 for never.
	BreakEven []float64 `json:"break_even"`
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
	return &Lap{N: n, Placed: Names(state.Placed), Rows: c.Rows, BreakEven: breakEvens(c.Rows)}, nil
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

// breakEvens compares each row with the first, the diagram: q questions cost
// build + q again.
func breakEvens(rows []Entrant) []float64 {
	list := make([]float64, len(rows))
	for i, r := range rows {
		diagram := rows[0]
		switch gain := cost(r) - cost(diagram); {
		case i == 0 || r.Failed != "" || diagram.Failed != "":
		case gain <= 0:
			list[i] = -1
		default:
			list[i] = math.Ceil(max(0, diagram.Build-r.Build) / gain)
		}
	}
	return list
}

// cost is the time of a question: the median of the later ones, or the first where
// there are none.
func cost(r Entrant) float64 {
	if r.Runs > 0 {
		return r.Again
	}
	return r.First
}
