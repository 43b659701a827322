package localsearch

import (
	"context"
	"fmt"
)

// setUp fills rows from scratch. It returns the columns for which the greedy set-up
// found no unattacked row: they have a row, but are not counted in books yet.
func (s *search) setUp(ctx context.Context) (left []int32, err error) {
	if s.init == Greedy || s.method == Swap {
		s.books = newOccupancy(s.n)
	}
	switch s.init {
	case Random:
		err = s.randomRows(ctx)
	case EvenOdd:
		// The columns, from the left, get the rows 2, 4, 6 ... and then 1, 3, 5 ..., counted from 1.
		s.deal(s.deal(0, 1, 2), 0, 2)
	case Permutation:
		s.deal(0, 0, 1)
		err = s.shuffle(ctx)
	case Greedy:
		s.deal(0, 0, 1)
		left, err = s.greedy(ctx)
	default:
		err = fmt.Errorf("set-up %q: expected one of %v", s.init, Inits())
	}
	return left, err
}

// randomRows puts each queen on a random row, except on blocked cells.
func (s *search) randomRows(ctx context.Context) error {
	for i := range s.free() {
		if i%often == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		col := s.col(i)
		row := int32(s.below(s.n))
		for s.blocked.has(col, row) {
			row = int32(s.below(s.n))
		}
		s.rows[col] = row
	}
	return nil
}

// deal assigns rows to the free columns from the i-th on: every by-th row, starting with first, except those of placed
// queens. It returns the index of the first column that is left without a row.
func (s *search) deal(i, first, by int) int {
	for row := first; row < s.n; row += by {
		if s.taken != nil && s.taken.has(row) {
			continue
		}
		s.rows[s.col(i)] = int32(row)
		i++
	}
	return i
}
