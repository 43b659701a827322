package localsearch

// swapping is the repair that keeps one queen on every row: a random suspect
// exchanges rows with the partner with which the two are then attacked least; ties are
// broken at random. (Sosic and Gu swap if the number of attacks on the board falls;
// considering only the two queens is less strict, and on a big board a few probes
// find a partner that leaves both unattacked.)
//
// Suspects are queens that were put on an attacked cell, and not found unattacked
// since. Of two queens that attack each other the later one is a suspect. So the board
// is solved when no suspect is left, and swapping never has to find the queen at the
// other end of a diagonal.
//
// A step costs 1/p probes, where p is the chance that a random partner leaves both
// unattacked (about 1/15 on a big board that is nearly solved). It examines all
// partners only after as many failed probes as there are partners. Either way the
// choice is uniform among the least attacked: a probe that succeeds is a uniform draw
// from them.
type swapping struct {
	*search
	suspects suspects
}

var _ repairer = (*swapping)(nil)

func newSwapping(s *search) *swapping { return &swapping{search: s} }

func (w *swapping) start(left []int32) {
	w.suspects.reset(w.n)
	if w.init == Greedy { // books already counts the other columns
		for _, col := range left {
			w.put(int(col))
		}
		return
	}
	for _, q := range w.placed {
		w.books.put(q.Col, q.Row)
	}
	for i := range w.free() {
		w.put(w.col(i))
	}
}

// put counts a column's queen in books.
func (w *swapping) put(col int) {
	row := w.rows[col]
	if w.books.put(col, int(row)) || w.blocked.has(col, row) {
		w.suspects.add(&w.random, col)
	}
}

func (w *swapping) step() status {
	col, ok := w.suspects.take()
	for ok && !w.attacked(col) {
		col, ok = w.suspects.take()
	}
	if !ok {
		return solved
	}
	partner := w.partner(col)
	if partner < 0 {
		return stuck
	}
	mine, theirs := w.rows[col], w.rows[partner]
	w.books.lift(col, int(mine))
	w.books.lift(partner, int(theirs))
	w.move(col, theirs)
	w.move(partner, mine)
	w.put(col)
	w.put(partner)
	return moved
}

func (w *swapping) attacked(col int) bool {
	row := w.rows[col]
	return w.books.count(col, int(row)) > 2 || w.blocked.has(col, row)
}

// partner returns one of the best columns with which to exchange rows, drawn
// uniformly; -1 if there is no other free column.
func (w *swapping) partner(col int) int {
	free := w.free()
	if free > few {
		for range free {
			other := w.col(w.below(free))
			if other != col && w.unattacked(col, other) {
				return other
			}
		}
	}
	best := least{random: &w.random, which: -1}
	for i := range free {
		other := w.col(i)
		if other == col {
			continue
		}
		best.see(other, w.attacks(col, other))
		if diagonal(col, int(w.rows[col]), other, int(w.rows[other])) {
			w.suspects.add(&w.random, other)
		}
	}
	return best.which
}

// unattacked reports whether nothing would attack the queens of the two columns after
// they exchange rows. Both may stay in books meanwhile: each of their old cells shares
// a row or a column with each new one, so never a diagonal.
func (w *swapping) unattacked(a, b int) bool {
	ra, rb := int(w.rows[a]), int(w.rows[b])
	return w.books.free(a, rb) && w.books.free(b, ra) && !diagonal(a, rb, b, ra) &&
		!w.blocked.has(a, w.rows[b]) && !w.blocked.has(b, w.rows[a])
}

// attacks counts what would attack the queens of the two columns after they
// exchange rows.
func (w *swapping) attacks(a, b int) int {
	ra, rb := int(w.rows[a]), int(w.rows[b])
	k := w.books.count(a, rb) + w.books.count(b, ra) +
		w.blocked.count(a, w.rows[b]) + w.blocked.count(b, w.rows[a])
	if diagonal(a, rb, b, ra) {
		k++
	}
	return k
}

// diagonal reports whether two cells share a diagonal.
func diagonal(colA, rowA, colB, rowB int) bool {
	return colA-rowA == colB-rowB || colA+rowA == colB+rowB
}
