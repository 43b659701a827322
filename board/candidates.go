package board

// MaxCandidates is the largest board of [Candidates]: a row is one word.
const MaxCandidates = 64

// Candidates are the cells on which a queen stands or can still be put, one word for each
// row: column c is bit c. A row or column with one candidate has its queen there.
//
// It knows less than a [Position], which says what is left of a board, and lies in n words:
// unit propagation over them touches little memory and takes a few operations per row and
// queen. The zero value is a board of size 0.
type Candidates struct {
	N    int
	Rows [MaxCandidates]uint64
}

// Reset makes every cell of a board of size n, at most [MaxCandidates], a candidate.
func (c *Candidates) Reset(n int) {
	c.N = n
	for row := range c.Rows[:n] {
		c.Rows[row] = c.all()
	}
}

func (c *Candidates) all() uint64 { return ^uint64(0) >> (MaxCandidates - c.N) }

// Put makes a cell the only candidate of its row, or leaves none if it is not one.
func (c *Candidates) Put(q Cell) { c.Rows[q.Row] &= 1 << q.Col }

// Block makes a cell no candidate.
func (c *Candidates) Block(b Cell) { c.Rows[b.Row] &^= 1 << b.Col }

// Propagate removes what the queens of rows and columns with one candidate attack, until
// there is nothing to remove. It returns false if a row or column has no candidates then;
// what is left of them has no meaning in that case.
func (c *Candidates) Propagate() (consistent bool) {
	var placed uint64 // rows whose queen's attacks have been removed
	for {
		before := placed
		var once, twice uint64 // columns with candidates, and with more than one
		for row, cells := range c.Rows[:c.N] {
			if cells == 0 {
				return false
			}
			if cells&(cells-1) == 0 && placed>>row&1 == 0 {
				placed |= 1 << row
				c.attack(row)
			}
			twice |= once & cells
			once |= cells
		}
		if placed != before {
			continue // columns may have lost candidates in rows already added up
		}
		if once != c.all() {
			return false
		}
		changed := false
		for row, cells := range c.Rows[:c.N] {
			if only := cells &^ twice; only != 0 && only != cells {
				c.Rows[row] = only & -only // a second one leaves its column none
				changed = true
			}
		}
		if !changed {
			return true
		}
	}
}

// attack removes the candidates that the only one of a row attacks.
func (c *Candidates) attack(row int) {
	queen := c.Rows[row]
	for away := 1; away <= row; away++ {
		c.Rows[row-away] &^= queen | queen<<away | queen>>away
	}
	for away := 1; away < c.N-row; away++ {
		c.Rows[row+away] &^= queen | queen<<away | queen>>away
	}
}
