package threshold

import (
	"context"
	"math/bits"
)

// Count returns the number of placements of k queens that do not attack each other on a board of
// size n up to [MaxSize]. It counts row by row, without symmetry, and must agree with [Proof.Placements].
func Count(ctx context.Context, n, k int) (int64, error) {
	c := counter{ctx: ctx, n: n, all: 1<<n - 1}
	count := c.below(0, k, 0, 0, 0)
	return count, ctx.Err()
}

type counter struct {
	ctx context.Context
	n   int
	all uint64
}

// below counts the ways to put queens more queens on the rows from row on. cols, left and right are bits
// of the columns and diagonals with a queen; the diagonals are shifted to this row.
func (c *counter) below(row, queens int, cols, left, right uint64) (count int64) {
	if queens == 0 {
		return 1
	}
	if queens > 2 && c.ctx.Err() != nil {
		return 0
	}
	for ; row+queens <= c.n; row++ {
		free := c.all &^ (cols | left | right)
		left, right = left<<1, right>>1
		if queens == 1 {
			count += int64(bits.OnesCount64(free))
			continue
		}
		for ; free != 0; free &= free - 1 {
			q := free & -free
			count += c.below(row+1, queens-1, cols|q, left|q<<1, right|q>>1)
		}
	}
	return count
}
