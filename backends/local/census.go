package local

// census counts the queens on every row and diagonal, and can name the queen of
// a line that holds one.
//
// Nearly all that is asked is whether a line holds none, one or more queens.
// That takes two bits a line, 1.25 bytes a column, so that the questions stay in
// cache when nothing else does. What lies beyond is met only when a queen comes
// or goes: who is on a line (4 bytes), and, where three or more are, how many above
// three (2 bytes).
//
// Who is on a line is kept as the exclusive or of the columns of its queens. When
// a queen comes to a line that holds one, that one becomes attacked, and without
// this the line would have to be walked to find it.
type census struct {
	n               int
	row, diag, anti lines // diag by row-col+n-1, anti by row+col
}

func newCensus(n int) *census {
	return &census{n: n, row: newLines(n), diag: newLines(2 * n), anti: newLines(2 * n)}
}

func (c *census) reset() {
	c.row.reset()
	c.diag.reset()
	c.anti.reset()
}

// count returns the queens on the cell's row and diagonals, one that is on the
// cell counted three times.
func (c *census) count(col, row int) int {
	return c.row.count(row) + c.diag.count(row-col+c.n-1) + c.anti.count(row+col)
}

// atMostOne returns the queens on the cell's row and diagonals if there are
// fewer than two, and some number above one otherwise.
func (c *census) atMostOne(col, row int) int {
	return c.row.some(row) + c.diag.some(row-col+c.n-1) + c.anti.some(row+col)
}

// attacked reports whether the queen on the cell shares a line with another.
func (c *census) attacked(col, row int) bool {
	return (c.row.some(row)|c.diag.some(row-col+c.n-1)|c.anti.some(row+col))&2 != 0
}

// fill adds a queen for each column, on an empty board. A direction at a time is read from
// memory, so that the processor waits for many lines at once.
func (c *census) fill(rows []int32) {
	for col, row := range rows {
		c.row.put(int(row), col)
	}
	for col, row := range rows {
		c.diag.put(int(row)-col+c.n-1, col)
	}
	for col, row := range rows {
		c.anti.put(int(row)+col, col)
	}
}

// put adds a queen.
func (c *census) put(col, row int) {
	c.row.put(row, col)
	c.diag.put(row-col+c.n-1, col)
	c.anti.put(row+col, col)
}

// lift removes a queen.
func (c *census) lift(col, row int) {
	c.row.lift(row, col)
	c.diag.lift(row-col+c.n-1, col)
	c.anti.lift(row+col, col)
}

// lines counts the queens on the lines of one direction.
type lines struct {
	state []uint64 // two bits a line: 0, 1, 2, or 3 for three and more
	more  []uint16 // how many above three
	who   []uint32 // exclusive or of the queens' columns
}

func newLines(n int) lines {
	return lines{state: make([]uint64, (n+31)/32), more: make([]uint16, n), who: make([]uint32, n)}
}

func (l *lines) reset() {
	clear(l.state)
	clear(l.more)
	clear(l.who)
}

// some returns the queens on a line, 3 for three and more.
func (l *lines) some(i int) int { return int(l.state[i>>5] >> (i & 31 * 2) & 3) }

func (l *lines) count(i int) int {
	k := l.some(i)
	if k == 3 {
		k += int(l.more[i])
	}
	return k
}

// put adds a queen and returns how many were there, 3 for three and more. Who is on an empty
// line is written without being read: nothing waits for it.
func (l *lines) put(i, col int) int {
	k := l.some(i)
	if k == 0 {
		l.who[i] = uint32(col)
	} else {
		l.who[i] ^= uint32(col)
	}
	if k < 3 {
		l.state[i>>5] += 1 << (i & 31 * 2)
	} else {
		l.more[i]++
	}
	return k
}

// lift removes a queen.
func (l *lines) lift(i, col int) {
	l.who[i] ^= uint32(col)
	if l.some(i) == 3 && l.more[i] > 0 {
		l.more[i]--
	} else {
		l.state[i>>5] -= 1 << (i & 31 * 2)
	}
}
