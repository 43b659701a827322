package localsearch

// minConflicts is the repair of Minton, Johnston, Philips and Laird (1992, Artificial
// Intelligence 58): a queen drawn uniformly from the attacked ones moves to a row
// drawn uniformly from those of its column that are least attacked. The queen itself
// is lifted first, so its own row is treated like the others and may be drawn.
//
// No step scans the column. A row that nothing attacks has no queen, so it is among
// the empty rows, which are kept in a list: if there are many, random ones are tried;
// if those fail, or if there are few, all are examined. If no row is free of attacks,
// random rows are tried for one attacked once. Only if that fails too is the whole
// column examined. A row accepted in a trial is a uniform draw from the acceptable
// rows, so trials and full examination both follow the rule exactly, at every size.
//
// Cost: if the list is long, trials succeed soon, because about one empty row in four
// is free of attacks, and a queen moves to a row attacked once only if no empty row
// is. A random row is attacked exactly once with about the same chance. So a step
// examines a few dozen cells at any n, and spends most of its time waiting for memory.
type minConflicts struct {
	*search
	lines    *census
	suspects suspects // a superset of the attacked queens
	empty    pool     // a superset of the rows without a queen
}

var _ repairer = (*minConflicts)(nil)

const (
	few    = 32 // largest number of rows that are all examined at once
	trials = 64 // trials before all rows are examined
)

func newMinConflicts(s *search) *minConflicts { return &minConflicts{search: s} }

func (m *minConflicts) start([]int32) {
	m.lines = m.lines.of(m.rows)
	m.suspects.reset(m.n)
	for i := range m.free() {
		if col := m.col(i); m.attacked(col) {
			m.suspects.add(&m.random, col)
		}
	}
	m.empty.reset(m.n)
	for row := range m.n {
		if m.isEmpty(row) {
			m.empty.add(row)
		}
	}
}

func (m *minConflicts) step() status {
	for {
		col, ok := m.suspects.take()
		if !ok {
			return solved
		}
		if m.attacked(col) {
			m.lift(col)
			row := m.leastAttacked(col)
			m.put(col, row)
			m.move(col, int32(row))
			return moved
		}
	}
}

func (m *minConflicts) attacked(col int) bool {
	row := m.rows[col]
	return m.lines.attacked(col, int(row)) || m.blocked.has(col, row)
}

func (m *minConflicts) isEmpty(row int) bool { return m.lines.row.some(row) == 0 }

// lift removes a column's queen.
func (m *minConflicts) lift(col int) {
	row := int(m.rows[col])
	m.lines.lift(col, row)
	if m.isEmpty(row) {
		m.empty.add(row)
	}
}

// put adds a queen; it becomes a suspect if it is attacked, and so do the queens that it attacks.
func (m *minConflicts) put(col, row int) {
	attacked := m.arrive(&m.lines.row, row, col)
	attacked = m.arrive(&m.lines.diag, row-col+m.n-1, col) || attacked
	attacked = m.arrive(&m.lines.anti, row+col, col) || attacked
	if attacked {
		m.suspects.add(&m.random, col)
	}
}

// arrive adds a queen to a line and reports whether the line held another. If it held
// just one, that queen was not attacked along this line, so it becomes a suspect; if
// it held more, each is a suspect already. A placed queen never becomes a suspect,
// since it stays.
func (m *minConflicts) arrive(l *lines, i, col int) bool {
	if l.some(i) == 1 {
		if other := int(l.who[i]); m.fixed == nil || !m.fixed.has(other) {
			m.suspects.add(&m.random, other)
		}
	}
	return l.put(i, col) > 0
}

// leastAttacked returns a row drawn uniformly from the least attacked cells of the
// column that are not blocked. The column's queen must have been lifted.
func (m *minConflicts) leastAttacked(col int) int {
	if len(m.empty.list) > few {
		for range trials {
			row, ok := m.empty.draw(&m.random, m.isEmpty)
			if !ok {
				break
			}
			if m.lines.atMostOne(col, row) == 0 && !m.blocked.has(col, int32(row)) {
				return row
			}
		}
	}
	found := least{random: &m.random}
	for k := 0; k < len(m.empty.list); {
		row := int(m.empty.list[k])
		if !m.isEmpty(row) {
			m.empty.drop(k)
			continue
		}
		if m.lines.atMostOne(col, row) == 0 && !m.blocked.has(col, int32(row)) {
			found.see(row, 0)
		}
		k++
	}
	if found.seen > 0 {
		return found.which
	}
	// No row is free of attacks.
	if m.n > few {
		for range trials {
			row := m.below(m.n)
			if m.lines.atMostOne(col, row) == 1 && !m.blocked.has(col, int32(row)) {
				return row
			}
		}
	}
	for row := range m.n {
		if !m.blocked.has(col, int32(row)) {
			found.see(row, m.lines.count(col, row))
		}
	}
	return found.which
}
