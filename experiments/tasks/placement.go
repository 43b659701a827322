package tasks

import (
	"context"
	"fmt"
	"math/rand/v2"

	"queens/backends"
	"queens/backends/search"
	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
)

// Placement is how placed queens are chosen.
type Placement string

// The ways to choose placed queens.
const (
	// completable keeps some queens of a random solution: a completion exists.
	completable Placement = "completable"
	// unattacked places queens one by one on random cells that no queen attacks:
	// a completion may not exist, as in a session at the board.
	unattacked Placement = "unattacked"
)

// Values lists the ways.
func (Placement) Values() []string { return []string{string(completable), string(unattacked)} }

// place chooses queens for a board of size n, the same ones for the same seed on
// every machine. There are fewer when no more fit, and none when the board has no
// solution.
func (p Placement) place(ctx context.Context, n, queens int, seed uint64) (cells []board.Cell, err error) {
	random := rand.New(rand.NewPCG(seed, uint64(n)<<32|uint64(queens)))
	if queens == 0 {
		return nil, nil
	}
	if p == unattacked {
		return placeUnattacked(n, queens, random), nil
	}
	solution, err := randomSolution(ctx, n, random)
	if err != nil || solution == nil {
		return nil, err
	}
	random.Shuffle(n, func(i, j int) { solution[i], solution[j] = solution[j], solution[i] })
	return solution[:queens], nil
}

// placeUnattacked may run out of free cells: then the placement has fewer queens
// than asked for, and no more fit.
func placeUnattacked(n, queens int, random *rand.Rand) []board.Cell {
	free := make([]board.Cell, n*n)
	for i := range free {
		free[i] = board.At(n, i)
	}
	var placed []board.Cell
	for len(placed) < queens && len(free) > 0 {
		queen := free[random.IntN(len(free))]
		placed = append(placed, queen)
		rest := free[:0]
		for _, c := range free {
			if c != queen && !c.Attacks(queen) {
				rest = append(rest, c)
			}
		}
		free = rest
	}
	return placed
}

// randomSolution completes a random first queen, or a few for a large board, to
// a solution; nil when the board has none. It is random enough to vary the
// queries and not uniform over solutions.
func randomSolution(ctx context.Context, n int, random *rand.Rand) ([]board.Cell, error) {
	problem, err := encode.Queens(n, nil, nil)
	if err != nil {
		return nil, err
	}
	oracle := search.New(problem)
	// Starts without a completion are drawn again, with a queen fewer each time.
	for start := max(1, n/4); start >= 0; start-- {
		placed := placeUnattacked(n, start, random)
		answer, err := oracle.Solve(ctx, encode.Literals(n, placed, true))
		if err != nil {
			return nil, fmt.Errorf("completing a random placement on a board of size %d: %w", n, err)
		}
		if answer.Status != backends.Sat {
			continue
		}
		return queensOf(n, answer.Model), nil
	}
	return nil, nil // not even from the empty board
}

// queensOf returns the cells with a queen in a model.
func queensOf(n int, model []cnf.Lit) []board.Cell {
	var cells []board.Cell
	for _, l := range model {
		if l.Positive() && int(l.Var()) <= n*n {
			cells = append(cells, encode.VarCell(n, l.Var()))
		}
	}
	return cells
}
