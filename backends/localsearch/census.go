package localsearch

// census counts the queens on every row and diagonal, and can identify the queen of a
// line that holds just one.
//
// Nearly all queries ask whether a line holds no queen, one, or more. That takes
// two bits per line, 1.25 bytes per column, so this data stays in cache even when
// nothing else does. The rest is used when a queen is put or lifted: which queen is on a
// line (4 bytes), and how many queens above three there are (2 bytes), which count reads too.
//
// The queens of a line are kept as the exclusive or of their columns. When a queen is
// put on a line that holds one, that one becomes attacked; the exclusive or gives its
// column without a search of the line.
type census struct {
	n               int
	row, diag, anti lines // diag by row-col+n-1, anti by row+col
}

// count returns the number of queens on the cell's row and diagonals; a queen on the
// cell itself counts three times.
func (c *census) count(col, row int) int {
	return c.row.count(row) + c.diag.count(row-col+c.n-1) + c.anti.count(row+col)
}

// atMostOne returns the number of queens on the cell's row and diagonals if that is 0
// or 1, and otherwise some number above 1.
func (c *census) atMostOne(col, row int) int {
	return c.row.some(row) + c.diag.some(row-col+c.n-1) + c.anti.some(row+col)
}

// attacked reports whether the queen on the cell shares a line with another.
func (c *census) attacked(col, row int) bool {
	return (c.row.some(row)|c.diag.some(row-col+c.n-1)|c.anti.some(row+col))&2 != 0
}

// of returns the census of a board, given the row of each column's queen. It reuses the memory of c
// unless c is nil. It fills one direction at a time, so that the memory accesses of many lines overlap.
func (c *census) of(rows []int32) *census {
	if n := len(rows); c == nil {
		c = &census{n: n, row: newLines(n), diag: newLines(2 * n), anti: newLines(2 * n)}
	} else {
		for _, l := range [...]*lines{&c.row, &c.diag, &c.anti} {
			clear(l.state)
			clear(l.more)
			clear(l.who)
		}
	}
	for col, row := range rows {
		c.row.put(int(row), col)
	}
	for col, row := range rows {
		c.diag.put(int(row)-col+c.n-1, col)
	}
	for col, row := range rows {
		c.anti.put(int(row)+col, col)
	}
	return c
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

// counts holds the numbers of queens on the lines of one direction.
type counts struct {
	state []uint64 // two bits per line: 0, 1, 2, or 3 for three or more
	more  []uint16 // number of queens above three
}

// lines are counts that can identify queens.
type lines struct {
	counts
	who []uint32 // exclusive or of the queens' columns
}

func newCounts(n int) counts {
	return counts{state: make([]uint64, (n+31)/32), more: make([]uint16, n)}
}

func newLines(n int) lines { return lines{newCounts(n), make([]uint32, n)} }

// some returns the number of queens on a line, 3 for three or more.
func (c *counts) some(i int) int { return int(c.state[i>>5] >> (i & 31 * 2) & 3) }

func (c *counts) count(i int) int {
	k := c.some(i)
	if k == 3 {
		k += int(c.more[i])
	}
	return k
}

// add adds a queen and returns the number on the line before, 3 for three or more.
func (c *counts) add(i int) int {
	k := c.some(i)
	if k < 3 {
		c.state[i>>5] += 1 << (i & 31 * 2)
	} else {
		c.more[i]++
	}
	return k
}

// drop removes a queen.
func (c *counts) drop(i int) {
	if c.some(i) == 3 && c.more[i] > 0 {
		c.more[i]--
	} else {
		c.state[i>>5] -= 1 << (i & 31 * 2)
	}
}

// put adds a queen and returns the result of add. On an empty line it writes who without reading it, so
// that it does not wait for memory.
func (l *lines) put(i, col int) int {
	k := l.add(i)
	if k == 0 {
		l.who[i] = uint32(col)
	} else {
		l.who[i] ^= uint32(col)
	}
	return k
}

// lift removes a queen.
func (l *lines) lift(i, col int) {
	l.who[i] ^= uint32(col)
	l.drop(i)
}
