package localsearch

import "context"

// greedy shuffles the rows and gives each column the first remaining row on which no
// queen attacks it. A column without such a row takes the next remaining row, and is
// returned in left.
//
// Sosic and Gu draw the row for each probe; here the order is drawn once, so probes
// touch neighbouring memory, and a row that one column rejects is among the first for
// the next, where it lies on other diagonals. The chance that a row is unattacked
// falls from 1 to about 1/10, which makes three probes per column on average; only
// some of the last hundred columns or so have no such row.
func (s *search) greedy(ctx context.Context) (left []int32, err error) {
	for _, q := range s.placed {
		s.books.put(q.Col, q.Row)
	}
	if err := s.shuffle(ctx); err != nil {
		return nil, err
	}
	rows := s.rows // of the free columns, as they are dealt
	if s.cols != nil {
		rows = make([]int32, len(s.cols))
		for i, col := range s.cols {
			rows[i] = s.rows[col]
		}
	}
	n, diag, anti := s.n, s.books.diag.state, s.books.anti.state
	for i, next := range rows {
		if i%often == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		col, j := s.col(i), i
		for ; j < len(rows); j++ {
			row := int(rows[j])
			// This is occupancy.free and put, inlined: at three probes per column it
			// is most of the cost of a big board.
			d, a := uint(row-col+n-1), uint(row+col)
			if (diag[d>>5]>>(d&31*2)|anti[a>>5]>>(a&31*2))&3 == 0 && !s.blocked.has(col, int32(row)) {
				diag[d>>5] |= 1 << (d & 31 * 2)
				anti[a>>5] |= 1 << (a & 31 * 2)
				rows[j], rows[i] = next, int32(row)
				break
			}
		}
		if j == len(rows) {
			left = append(left, int32(col))
		}
	}
	if s.cols != nil {
		for i, col := range s.cols {
			s.rows[col] = rows[i]
		}
	}
	return left, nil
}
