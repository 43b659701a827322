package threshold

import (
	"context"
	"math/bits"
	"math/rand/v2"

	"queens/board"
)

// MaxSize is the largest board on which [Prove] goes through placements.
const MaxSize = board.MaxMasks

// finder looks for a completion of a position by backtracking. It chooses at random and restarts after too
// many steps, because a long search is usually due to a few bad choices at the top.
type finder struct {
	board.Masks
	prefer [MaxSize]uint64 // cells of each row to try first
	random *rand.Rand

	steps, limit int
}

// patience is the number of steps before the first restart; each restart doubles it. Nearly all searches
// take as many steps as there are open rows.
const patience = 300

func newFinder(n int, random *rand.Rand) *finder {
	return &finder{Masks: board.NewMasks(n), random: random}
}

// find reports whether the position has a completion, which is then in Cols. The error is the context's.
func (f *finder) find(ctx context.Context, p board.Taken) (bool, error) {
	for f.limit = patience; ; f.limit *= 2 {
		f.steps = 0
		if f.below(p) {
			return true, nil
		}
		if f.steps < f.limit {
			return false, nil
		}
		if err := ctx.Err(); err != nil {
			return false, err
		}
	}
}

// below reports whether it found a completion before the steps reached the limit.
func (f *finder) below(p board.Taken) bool {
	if f.steps++; f.steps >= f.limit {
		return false
	}
	row, choice := f.Force(&p)
	if p.Open == 0 {
		return true
	}
	for choice != 0 && f.steps < f.limit {
		some := choice & f.prefer[row&31]
		if some == 0 {
			some = choice
		}
		bit := f.pick(some)
		choice &^= bit
		child := p
		f.Place(&child, row, bit)
		if f.below(child) {
			return true
		}
	}
	return false
}

// pick returns one of the bits at random.
func (f *finder) pick(choice uint64) uint64 {
	for skip := f.random.Uint32N(uint32(bits.OnesCount64(choice))); skip > 0; skip-- {
		choice &= choice - 1
	}
	return choice & -choice
}
