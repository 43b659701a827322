package localsearch

// mostConflicts is the first version from the student report from which this package
// developed. It takes one of the most attacked queens and the queens that it attacks.
// Among all their moves within their columns, it makes the one that lowers the number
// of attacks most; ties are broken at random. If no move lowers it, the board is a
// local minimum and the try is stuck. The package keeps the method to show this.
//
// A step examines all queens, and the whole columns of k of them, so it costs O(kn). It
// cannot skip moves that are not best: a tie among them draws a random number, so
// skipping would change the later draws.
type mostConflicts struct {
	*search
	lines *census
	group []int32
}

var _ repairer = (*mostConflicts)(nil)

func newMostConflicts(s *search) *mostConflicts { return &mostConflicts{search: s} }

func (m *mostConflicts) start([]int32) {
	m.lines = m.lines.of(m.rows)
}

func (m *mostConflicts) step() status {
	worst := least{random: &m.random}
	for i := range m.free() {
		col := m.col(i)
		worst.see(col, -m.attacks(col, m.rows[col])+3)
	}
	if worst.seen == 0 || worst.count == 0 {
		return solved
	}
	queen := worst.which
	m.group = append(m.group[:0], int32(queen))
	for i := range m.free() {
		col := m.col(i)
		if col != queen &&
			(m.rows[col] == m.rows[queen] || diagonal(col, int(m.rows[col]), queen, int(m.rows[queen]))) {
			m.group = append(m.group, int32(col))
		}
	}
	// A move's index encodes queen and row; its count is the attacks it adds.
	best := least{random: &m.random}
	for k, c := range m.group {
		col := int(c)
		m.lines.lift(col, int(m.rows[col]))
		now := m.attacks(col, m.rows[col])
		for row := range m.n {
			if m.blocked.has(col, int32(row)) || row == int(m.rows[col]) {
				continue
			}
			best.see(k*m.n+row, m.attacks(col, int32(row))-now)
		}
		m.lines.put(col, int(m.rows[col]))
	}
	if best.seen == 0 || best.count >= 0 {
		return stuck
	}
	col, row := int(m.group[best.which/m.n]), best.which%m.n
	m.lines.lift(col, int(m.rows[col]))
	m.lines.put(col, row)
	m.move(col, int32(row))
	return moved
}

// attacks counts the queens on a cell's row and diagonals, and one more for a
// blocked cell.
func (m *mostConflicts) attacks(col int, row int32) int {
	return m.lines.count(col, int(row)) + m.blocked.count(col, row)
}
