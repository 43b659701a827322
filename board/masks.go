package board

import "math/bits"

// MaxMasks is the largest board for [Masks]: its diagonals, 2n-1 of each kind, fit into one word. Two words for
// each kind would allow boards of 64, but take a quarter more time on boards of every size.
const MaxMasks = 32

// Masks is a board for searches that place millions of queens. The value type [Taken] holds the lines with a
// queen; two shifts and an AND compute a row's free cells from it. So a search stores nothing else for each
// node, and removes a queen by returning to an older value.
type Masks struct {
	N       int
	Allowed [MaxMasks]uint64 // by row: the cells that are not blocked, column c as bit c
	Cols    [MaxMasks]int8   // by row: the column of the queen placed there last
	Placed  uint64           // number of queens placed so far, including those removed again

	all uint64 // a bit for each column
}

// Taken is the set of lines with a queen.
type Taken struct {
	Open uint64 // rows without a queen
	cols uint64
	up   uint64 // diagonals, bit n-1-row+col
	down uint64 // anti-diagonals, bit row+col
}

// NewMasks returns a board of size n without blocked cells.
func NewMasks(n int) Masks {
	m := Masks{N: n, all: 1<<n - 1}
	m.Unblock()
	return m
}

// Unblock allows every cell again.
func (m *Masks) Unblock() {
	for row := range m.Allowed[:m.N] {
		m.Allowed[row] = m.all
	}
}

// Empty returns the Taken of a board without queens.
func (m *Masks) Empty() Taken { return Taken{Open: m.all} }

// Free returns the free cells of an open row.
func (m *Masks) Free(t *Taken, row int) uint64 {
	return m.Allowed[row&31] &^ (t.cols | t.up>>((m.N-1-row)&63) | t.down>>(row&63))
}

// Place places a queen on a free cell, given as its row and the bit of its column.
func (m *Masks) Place(t *Taken, row int, bit uint64) {
	m.Placed++
	m.Cols[row&31] = int8(bits.TrailingZeros64(bit))
	t.Open &^= 1 << (row & 63)
	t.cols |= bit
	t.up |= bit << ((m.N - 1 - row) & 63)
	t.down |= bit << (row & 63)
}

// Try places a queen if the cell is free, and reports whether it is.
func (m *Masks) Try(t *Taken, row int, bit uint64) bool {
	if t.Open>>row&1 == 0 || m.Free(t, row)&bit == 0 {
		return false
	}
	m.Place(t, row, bit)
	return true
}

// Force places queens on lines with one free cell until there are no such lines. It returns the open row with the
// fewest free cells, the first of several, and these cells. It returns no cells if every row has a queen, or if
// some row or column has neither a queen nor a free cell.
func (m *Masks) Force(t *Taken) (row int, cells uint64) {
next:
	if t.Open == 0 {
		return 0, 0
	}
	s := NewSurvey()
	for open := t.Open; open != 0; open &= open - 1 {
		r := bits.TrailingZeros64(open)
		free := m.Free(t, r)
		if free&(free-1) == 0 {
			if free == 0 {
				return 0, 0
			}
			m.Place(t, r, free)
			goto next
		}
		s = s.Add(r, free)
	}
	if s.Cols|t.cols != m.all {
		return 0, 0
	}
	if single := s.Single(); single != 0 {
		for open := t.Open; open != 0; open &= open - 1 {
			if r := bits.TrailingZeros64(open); m.Free(t, r)&single != 0 {
				m.Place(t, r, single)
				goto next
			}
		}
	}
	return s.Row, s.Cells
}

// Survey collects the free cells of the open rows, one word per row, to find the line for the next queen: a
// line with one free cell if there is one, or else the row with the fewest.
type Survey struct {
	Cols  uint64 // columns with a free cell
	twice uint64 // columns with at least two
	Row   int    // the row with the fewest free cells, the first of several
	Cells uint64 // its free cells
}

// NewSurvey returns the survey of no rows.
func NewSurvey() Survey { return Survey{Cells: ^uint64(0)} }

// Add adds an open row with some free cells. Its receiver is a value, so that the compiler keeps the survey
// in registers.
func (s Survey) Add(row int, cells uint64) Survey {
	s.twice |= s.Cols & cells
	s.Cols |= cells
	more := s.Cells & (s.Cells - 1)
	if more&(more-1) != 0 { // it has three cells or more: counting is the slowest part
		if bits.OnesCount64(cells) < bits.OnesCount64(s.Cells) {
			s.Row, s.Cells = row, cells
		}
	} else if more != 0 && cells&(cells-1) == 0 {
		s.Row, s.Cells = row, cells
	}
	return s
}

// Single returns the first column with one free cell, as its bit, or 0.
func (s Survey) Single() uint64 {
	single := s.Cols &^ s.twice
	return single & -single
}
