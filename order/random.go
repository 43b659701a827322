package order

import (
	"fmt"
	"math/rand/v2"

	"queens/board"
)

// random draws every permutation with equal chance: what is left of an order's
// merit when nothing was chosen.
func random(seed uint64) Named {
	return Named{
		Name:   fmt.Sprintf("random:%d", seed),
		Reason: "drawn evenly with a seed: what choosing no order costs",
		cells: func(n int) []board.Cell {
			cells := make([]board.Cell, n*n)
			for i := range cells {
				cells[i] = board.At(n, i)
			}
			// PCG and Shuffle are fixed by Go's compatibility promise: a seed
			// gives the same order on every machine.
			rng := rand.New(rand.NewPCG(seed, uint64(n)))
			rng.Shuffle(len(cells), func(i, j int) { cells[i], cells[j] = cells[j], cells[i] })
			return cells
		},
	}
}
