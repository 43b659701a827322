package threshold

import (
	"context"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// worker goes through the placements of one class at a time. It places queens in the order of the cells'
// numbers, and keeps the solutions through the queens placed so far. Once k-2 queens are placed, it has a
// set for each cell of the next queen, called the cell's row: the cells of the last queen for which no
// solution so far contains that cell and the queens too. Marking a solution removes its cells from the rows
// of its own cells, a word at a time. The finder decides the placements that remain.
type worker struct {
	*prover
	*finder
	levels []*level
	queens []int
	end    int     // end of the first queen's class
	left   float64 // weight of the rest of that class

	rows  []uint64 // a set for each cell
	needy set      // cells whose row is not empty; all are in the word from or later ones
	from  int

	members []int // buffers of gather and use
	scratch set

	considered, incomplete []int64 // numbers of placements, by the number of queens in the first queen's class
	found                  Proof
}

// level holds the solutions through the queens placed so far.
type level struct {
	next, rest set        // cells for the next queen, and for those after it
	solutions  []uint64   // sets, one after another
	through    [][]uint32 // by cell of next: the solutions through it
	// The last level has copies of the solutions instead of through, for one word of cells at a time. Each
	// copy begins at that word. sheet reads the copies in sequence; with a list it would wait for memory at
	// each solution.
	copies *[64][]uint64
	word   int // -1 for none
}

// newWorker returns a worker. Worker 0 of a part draws the same numbers for any number of workers.
func (p *prover) newWorker(number int) *worker {
	w := &worker{
		prover: p, finder: newFinder(p.n, rand.New(rand.NewPCG(p.options.Seed, uint64(p.options.Part+number<<32)))),
		rows: make([]uint64, len(p.cell)*p.words), needy: make(set, p.words), scratch: make(set, p.words),
		considered: make([]int64, p.k+1), incomplete: make([]int64, p.k+1),
	}
	for range p.k {
		rest := make(set, p.words)
		w.levels = append(w.levels, &level{next: rest, rest: rest, through: make([][]uint32, len(p.cell))})
	}
	w.levels[0].next = make(set, p.words)
	if p.k > 2 {
		w.levels[p.k-3].copies = new([64][]uint64)
	}
	return w
}

// class goes through the placements whose first queen is on the first cell of a class.
func (w *worker) class(ctx context.Context, class int) error {
	first := w.first[class]
	w.end, w.left = w.first[class+1], w.weight(first)
	clear(w.needy)
	root := w.levels[0]
	clear(root.next)
	root.next.add(first)
	for c := range w.cell {
		root.rest.add(c)
	}
	w.gather(root, class)
	var err error
	switch w.k {
	case 1:
		w.considered[1]++
		if len(root.solutions) == 0 {
			err = w.decide(ctx, slices.Clone(root.next))
		}
	case 2:
		err = w.sheet(ctx, root.solutions, 0, root)
	default:
		err = w.each(ctx, root)
	}
	// A placement with several queens in its first class was counted once for each image that has one of
	// them on the first cell.
	size := int64(w.end - first)
	for ties := int64(1); ties <= int64(w.k); ties++ {
		w.found.Considered += w.considered[ties]
		w.found.Placements += w.considered[ties] * size / ties
		w.found.incomplete += w.incomplete[ties] * size / ties
	}
	clear(w.considered)
	clear(w.incomplete)
	return err
}

// gather fills the root with all images of the pool's solutions that have a queen on the first cell of a
// class.
func (w *worker) gather(root *level, class int) {
	w.mutex.Lock()
	pool := w.pool
	w.mutex.Unlock()
	root.clear()
	for _, cols := range pool {
		w.members = w.members[:0]
		for row, col := range cols {
			w.members = append(w.members, w.number[row*w.n+int(col)])
		}
		for _, c := range w.members {
			if w.cells.class[c] != class {
				continue
			}
			for _, image := range w.image {
				if image[c] != w.first[class] {
					continue
				}
				clear(w.scratch)
				for _, d := range w.members {
					w.scratch.add(image[d])
				}
				root.keep(w.scratch)
			}
		}
	}
}

func (l *level) clear() {
	l.solutions, l.word = l.solutions[:0], -1
	for c := range l.through {
		l.through[c] = l.through[c][:0]
	}
}

// keep adds a solution.
func (l *level) keep(solution set) {
	at := uint32(len(l.solutions) / len(solution))
	l.solutions = append(l.solutions, solution...)
	if l.copies != nil {
		l.copy(solution)
		return
	}
	for w, word := range solution {
		for both := word & l.next[w]; both != 0; both &= both - 1 {
			c := w<<6 | bits.TrailingZeros64(both)
			l.through[c] = append(l.through[c], at)
		}
	}
}

// turn replaces the copies by those for the cells of a word.
func (l *level) turn(word, words int) {
	l.word = word
	for i := range l.copies {
		l.copies[i] = l.copies[i][:0]
	}
	for i := 0; i < len(l.solutions); i += words {
		l.copy(l.solutions[i:][:words])
	}
}

// copy adds copies of a solution for the cells of the word.
func (l *level) copy(solution set) {
	if l.word < 0 {
		return
	}
	for both := solution[l.word] & l.next[l.word]; both != 0; both &= both - 1 {
		to := &l.copies[bits.TrailingZeros64(both)]
		*to = append(*to, solution[l.word:]...)
	}
}

// each places each next queen and goes through the placements with it.
func (w *worker) each(ctx context.Context, l *level) error {
	for i := range l.next {
		if l.copies != nil && l.next[i] != 0 {
			l.turn(i, w.words)
		}
		for left := l.next[i]; left != 0; left &= left - 1 {
			c := i<<6 | bits.TrailingZeros64(left)
			if err := w.put(ctx, c); err != nil {
				return err
			}
			if len(w.queens) == 1 {
				w.report(w, c+1)
			}
		}
	}
	return nil
}

// put places a queen and goes through the placements with it.
func (w *worker) put(ctx context.Context, c int) error {
	l, child := w.levels[len(w.queens)], w.levels[len(w.queens)+1]
	child.rest.intersect(l.rest, w.peers[c])
	w.queens = append(w.queens, c)
	defer func() { w.queens = w.queens[:len(w.queens)-1] }()
	if l.copies != nil {
		return w.sheet(ctx, l.copies[c&63], l.word, child)
	}
	child.clear()
	for _, at := range l.through[c] {
		child.keep(l.solutions[int(at)*w.words:][:w.words])
	}
	return w.each(ctx, child)
}

// sheet goes through the placements that consist of the queens placed, a cell of child.next and a later
// cell of child.rest. solutions holds the solutions through the queens, each from the given word on.
func (w *worker) sheet(ctx context.Context, solutions []uint64, word int, child *level) error {
	if !w.begin(child) {
		return nil
	}
	size := w.words - word
	for i := 0; i < len(solutions); i += size {
		w.mark(solutions[i:][w.from-word : size])
		if i/size%128 == 127 && !w.settle() {
			return nil
		}
	}
	if !w.settle() {
		return nil
	}
	for i := range w.needy {
		for left := w.needy[i]; left != 0; left &= left - 1 {
			c := i<<6 | bits.TrailingZeros64(left)
			w.queens = append(w.queens, c)
			err := w.decide(ctx, w.rows[c*w.words:][:w.words])
			w.queens = w.queens[:len(w.queens)-1]
			if err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

// begin fills the rows, and reports whether there is a placement to consider.
func (w *worker) begin(child *level) bool {
	ties := w.ties()
	any := false
	w.from = w.words
	for i, word := range child.next {
		w.needy[i] = 0
		for ; word != 0; word &= word - 1 {
			c := i<<6 | bits.TrailingZeros64(word)
			row := set(w.rows[c*w.words:][:w.words])
			row.intersect(child.rest, w.peers[c])
			count, ties := int64(row.size()), ties
			if count == 0 {
				continue
			}
			if c < w.end {
				ties++
				for d := c + 1; d < w.end; d++ {
					if row.has(d) {
						w.considered[ties+1]++
						count--
					}
				}
			}
			w.considered[ties] += count
			w.needy.add(c)
			w.from = min(w.from, i)
			any = true
		}
	}
	return any
}

// ties returns the number of queens in the class of the first.
func (w *worker) ties() (ties int) {
	for _, c := range w.queens {
		if c < w.end {
			ties++
		}
	}
	return ties
}

// mark removes a solution's cells from the rows of its cells. The solution is given from the word w.from
// on. A proof spends most of its time here.
func (w *worker) mark(solution []uint64) {
	for i, word := range solution {
		for both := word & w.needy[w.from+i]; both != 0; both &= both - 1 {
			c := (w.from+i)<<6 | bits.TrailingZeros64(both)
			row := w.rows[c*w.words+w.from+i : (c+1)*w.words] // c's peers come after it
			later := solution[i:][:len(row)]
			for j := range row {
				row[j] &^= later[j]
			}
		}
	}
}

// settle drops the cells whose row has become empty, and reports whether any are left.
func (w *worker) settle() bool {
	for i := range w.needy {
		for left := w.needy[i]; left != 0; left &= left - 1 {
			c := i<<6 | bits.TrailingZeros64(left)
			if set(w.rows[c*w.words+i : (c+1)*w.words]).empty() {
				w.needy[i] &^= left & -left
			}
		}
	}
	return !w.needy.empty()
}

// decide looks for a completion of the queens placed and each cell of row. The finder prefers cells of
// row, so that one completion serves several of them.
func (w *worker) decide(ctx context.Context, row set) error {
	for i := range row {
		for row[i] != 0 {
			last := i<<6 | bits.TrailingZeros64(row[i])
			w.queens = append(w.queens, last)
			found, err := w.complete(ctx, row)
			if err == nil && !found {
				row[i] &= row[i] - 1
				w.incomplete[w.ties()]++
				err = w.refute(w.queens)
			}
			w.queens = w.queens[:len(w.queens)-1]
			if err != nil {
				return err
			}
			if found {
				w.use(row)
			}
		}
	}
	return nil
}

// complete looks for a completion of the queens placed, and prefers cells of row.
func (w *worker) complete(ctx context.Context, row set) (bool, error) {
	w.found.Decided++
	clear(w.prefer[:])
	for i, word := range row {
		for ; word != 0; word &= word - 1 {
			at := w.cell[i<<6|bits.TrailingZeros64(word)]
			w.prefer[at.Row] |= 1 << at.Col
		}
	}
	p := w.Empty()
	for _, c := range w.queens {
		w.Try(&p, w.cell[c].Row, 1<<w.cell[c].Col)
	}
	return w.find(ctx, p)
}

// use removes the solution found from row, marks it, and keeps it for other queens and classes.
func (w *worker) use(row set) {
	w.add(w.Cols[:w.n])
	clear(w.scratch)
	for r, col := range w.Cols[:w.n] {
		w.scratch.add(w.number[r*w.n+int(col)])
	}
	for i := range row {
		row[i] &^= w.scratch[i]
	}
	w.mark(w.scratch[w.from:])
	for _, l := range w.levels[:max(w.k-2, 1)] {
		l.keep(w.scratch)
	}
}
