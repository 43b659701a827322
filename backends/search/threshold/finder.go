package threshold

import (
	"context"
	"math/bits"
	"math/rand/v2"
)

// MaxSize is the largest board on which placements are gone through: its diagonals, 2n-1 of each
// kind, fit into a word.
const MaxSize = 32

// finder looks for a completion of a position by backtracking: forced queens first, then the row
// with the fewest free cells. It chooses cells at random and starts again when it takes long,
// because a few bad choices at the top are what makes a search long.
type finder struct {
	n      int
	all    uint64          // a bit for each column
	prefer [MaxSize]uint64 // cells of each row that are tried first
	cols   [MaxSize]int8   // of the queen of each row
	random *rand.Rand

	steps, limit int
}

// patience is the number of steps after which a search starts again, with twice as many. Nearly
// all take as many steps as there are open rows.
const patience = 300

// position is what the queens placed take.
type position struct {
	open uint64 // rows without a queen
	cols uint64 // columns with a queen
	up   uint64 // diagonals with a queen, bit n-1-row+col
	down uint64 // anti-diagonals with a queen, bit row+col
}

func newFinder(n int, random *rand.Rand) *finder {
	return &finder{n: n, all: 1<<n - 1, random: random}
}

func (f *finder) empty() position { return position{open: f.all} }

// free returns the columns of an open row that no queen attacks.
func (f *finder) free(p *position, row int) uint64 {
	return f.all &^ (p.cols | p.up>>((f.n-1-row)&63) | p.down>>(row&63))
}

// put puts a queen on an open row, in the column with the given bit.
func (f *finder) put(p *position, row int, bit uint64) {
	f.cols[row&31] = int8(bits.TrailingZeros64(bit))
	p.open &^= 1 << (row & 63)
	p.cols |= bit
	p.up |= bit << ((f.n - 1 - row) & 63)
	p.down |= bit << (row & 63)
}

// try puts a queen on a cell and reports whether it was free.
func (f *finder) try(p *position, row, col int) bool {
	if p.open>>row&1 == 0 || f.free(p, row)>>col&1 == 0 {
		return false
	}
	f.put(p, row, 1<<col)
	return true
}

// find reports whether the position has a completion, and leaves it in cols.
func (f *finder) find(ctx context.Context, p position) (bool, error) {
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

// below looks for a completion until the steps reach the limit.
func (f *finder) below(p position) bool {
	if f.steps++; f.steps >= f.limit {
		return false
	}
	row, choice := f.force(&p)
	if p.open == 0 {
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
		f.put(&child, row, bit)
		if f.below(child) {
			return true
		}
	}
	return false
}

// pick returns one of the bits.
func (f *finder) pick(choice uint64) uint64 {
	for skip := f.random.Uint32N(uint32(bits.OnesCount64(choice))); skip > 0; skip-- {
		choice &= choice - 1
	}
	return choice & -choice
}

// force puts the queens of rows and columns with one free cell until there are none. It returns
// an open row with the fewest free cells, and these; none if a row or column is left without.
func (f *finder) force(p *position) (row int, choice uint64) {
again:
	var once, twice uint64 // columns with a free cell in one open row, and in two
	fewest := MaxSize + 1
	for open := p.open; open != 0; open &= open - 1 {
		r := bits.TrailingZeros64(open)
		free := f.free(p, r)
		twice |= once & free
		once |= free
		switch count := bits.OnesCount64(free); {
		case count == 0:
			return 0, 0
		case count == 1:
			f.put(p, r, free)
			goto again
		case count < fewest:
			row, choice, fewest = r, free, count
		}
	}
	if once|p.cols != f.all {
		return 0, 0
	}
	if single := once &^ twice; single != 0 {
		single &= -single
		for open := p.open; open != 0; open &= open - 1 {
			if r := bits.TrailingZeros64(open); f.free(p, r)&single != 0 {
				f.put(p, r, single)
				goto again
			}
		}
	}
	return row, choice
}
