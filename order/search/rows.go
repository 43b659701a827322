package search

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"

	"queens/backends/diagram"
	"queens/encode/cnf"
	"queens/order"
)

// Rows is what [MinimumByRows] proved.
type Rows struct {
	Nodes int
	Order order.Order
	// Sets counts the sets of rows above that were considered, Steps the steps from
	// one to the next whose least cost was computed; all others are mirror images
	// of these.
	Sets, Steps int
}

// LargestAllRows and LargestByRows are the largest boards for which going through every
// sequence of rows, or through few of them, is practical: about twenty minutes on one core,
// and ten.
const (
	LargestAllRows = 12
	LargestByRows  = 14
)

// mostRows bounds the number of sets of rows, and of columns within a row, to
// 2^15.
const mostRows = 15

// MinimumByRows proves the smallest size over all orders by whole rows: one row
// after another, in any sequence, with the cells of each row in any sequence.
//
// The width of a level depends only on the set of cells above it. In an order by
// whole rows this set is some whole rows and part of one row, so two nested dynamic
// programs cover all of them: the cost of a row depends only on the set of rows
// above it, and within the row the cost of a level depends only on the set of
// columns taken.
//
// With the rows R above, let a cofactor's vector say, for each column c of the next
// row r, which cofactor of R and r a queen on c leads to, if any. When the columns
// T of row r are taken too, a cofactor either has its queen in T and is one that T
// leads to, or it does not and is a vector without its entries in T. So the width
// is the number of cofactors that T leads to, plus the number of distinct non-empty
// vectors without T.
//
// Cofactors and vectors are compared by 64-bit sums, as in [Sizer]. A collision can
// only identify different ones, which makes a cost too small. So the minimum is
// proved as soon as an engine shows that the returned order attains it.
//
// It considers only sequences in which the set of rows above, or its mirror image, is
// allowed at every step. nil allows all 2^n sets; this takes the time of about
// n*2^2n/8 sweeps over the cofactors, so n = 12 takes twenty minutes on one core. See
// [FromEnds] and [InSequence] for fewer sets.
func MinimumByRows(
	ctx context.Context, s *Sizer, n int, d diagram.Kind, allowed func(rows uint32) bool, workers int,
) (Rows, error) {
	l, err := newRowLattice(s, n, d, allowed)
	if err != nil {
		return Rows{}, err
	}
	return l.solve(ctx, workers)
}

// FromEnds allows the sets of rows on a board of size n whose remaining rows are
// contiguous: each row taken is the first or the last of those that are left.
func FromEnds(n int) func(rows uint32) bool {
	return func(rows uint32) bool {
		left := 1<<n - 1 - rows
		if left == 0 {
			return true
		}
		left >>= bits.TrailingZeros32(left)
		return left&(left+1) == 0
	}
}

// InSequence allows the sets of rows taken first in a given sequence of rows.
func InSequence(rows []int) func(rows uint32) bool {
	sets := map[uint32]bool{0: true}
	set := uint32(0)
	for _, row := range rows {
		set |= 1 << row
		sets[set] = true
	}
	return func(rows uint32) bool { return sets[rows] }
}

// rowLattice holds the sets of rows, as bit sets.
type rowLattice struct {
	n       int
	diagram diagram.Kind
	allow   func(rows uint32) bool // nil: all
	sizer   *Sizer
	column  [][]uint8 // by row and solution
	best    []rowStep // by set of rows above
}

// rowStep is the best next row below a set of rows.
type rowStep struct {
	nodes   int32 // below the set of rows
	row     uint8
	columns []uint8 // in sequence; nil where no row is allowed
}

func newRowLattice(s *Sizer, n int, d diagram.Kind, allow func(uint32) bool) (*rowLattice, error) {
	if s.vars != n*n {
		return nil, fmt.Errorf("%d variables: not a board of size %d", s.vars, n)
	}
	if n > mostRows {
		return nil, fmt.Errorf("%d rows: %w", n, ErrTooMany)
	}
	l := &rowLattice{n: n, diagram: d, allow: allow, sizer: s, column: make([][]uint8, n), best: make([]rowStep, 1<<n)}
	for r := range l.column {
		l.column[r] = make([]uint8, len(s.whole))
		queens := 0
		for c := range n {
			v := r*n + c
			for _, i := range s.holds[s.first[v]:s.first[v+1]] {
				l.column[r][i] = uint8(c)
				queens++
			}
		}
		if queens != len(s.whole) {
			return nil, fmt.Errorf("row %d holds %d queens in %d solutions, expected one in each", r+1, queens,
				len(s.whole))
		}
	}
	if err := l.checkMirrors(); err != nil {
		return nil, err
	}
	return l, nil
}

// checkMirrors returns an error unless mirroring the board, in either
// direction, maps solutions to solutions.
func (l *rowLattice) checkMirrors() error {
	known := make(map[uint64]bool, len(l.sizer.whole))
	for _, whole := range l.sizer.whole {
		known[whole] = true
	}
	for i := range l.sizer.whole {
		var upDown, leftRight uint64
		for r := range l.n {
			c := int(l.column[r][i])
			upDown ^= l.sizer.key[(l.n-1-r)*l.n+c]
			leftRight ^= l.sizer.key[r*l.n+l.n-1-c]
		}
		if !known[upDown] || !known[leftRight] {
			return fmt.Errorf("the mirror image of solution %d is not a solution", i)
		}
	}
	return nil
}

// mirrored returns the mirror image of a set of n rows or columns.
func mirrored(n int, set uint32) uint32 { return bits.Reverse32(set) >> (32 - n) }

// allowed reports whether a set of rows, or its mirror image, is to be
// considered.
func (l *rowLattice) allowed(rows uint32) bool {
	return l.allow == nil || l.allow(rows) || l.allow(mirrored(l.n, rows))
}

// solve visits the sets of rows, the largest first; all workers share the sets of
// one size.
func (l *rowLattice) solve(ctx context.Context, workers int) (Rows, error) {
	full := uint32(1)<<l.n - 1
	result := Rows{Sets: 1}
	if len(l.sizer.whole) == 0 { // without solutions there are no nodes under any order
		for v := range l.sizer.vars {
			result.Order = append(result.Order, cnf.Var(v+1))
		}
		return result, nil
	}
	var steps atomic.Int64
	for size := l.n - 1; size >= 0; size-- {
		var sets []uint32
		for rows := range full {
			if bits.OnesCount32(rows) == size && rows <= mirrored(l.n, rows) && l.allowed(rows) {
				sets = append(sets, rows)
			}
		}
		result.Sets += len(sets)
		var next atomic.Int64
		var wait sync.WaitGroup
		for range max(1, min(workers, len(sets))) {
			wait.Go(func() {
				w := newRowWorker(l)
				for ctx.Err() == nil {
					i := int(next.Add(1)) - 1
					if i >= len(sets) {
						return
					}
					steps.Add(int64(w.next(ctx, sets[i])))
				}
			})
		}
		wait.Wait()
		if err := ctx.Err(); err != nil {
			return Rows{}, err
		}
		for _, rows := range sets { // a set and its mirror image have the same cost
			if image := mirrored(l.n, rows); image != rows {
				step := l.best[rows]
				step.row = uint8(l.n-1) - step.row
				l.best[image] = step
			}
		}
	}
	if l.best[0].columns == nil {
		return Rows{}, fmt.Errorf("no sequence of %d rows uses only allowed sets", l.n)
	}
	result.Nodes, result.Steps = int(l.best[0].nodes), int(steps.Load())
	for rows := uint32(0); rows != full; rows |= 1 << l.best[rows].row {
		step := l.best[rows]
		for _, c := range step.columns {
			result.Order = append(result.Order, cnf.Var(int(step.row)*l.n+int(c)+1))
		}
	}
	return result, nil
}

// rowWorker computes the least cost of a row below a set of rows.
type rowWorker struct {
	*rowLattice
	above  cofactors // below the rows above
	below  cofactors // below these and the next row
	reach  []uint64  // by column: the cofactors below that it leads to, as bit sets
	words  int       // words of one such set
	vector []int32   // by cofactor above and column: one more than the cofactor below, or 0
	filled []uint32  // by cofactor above: the columns that lead somewhere
	lists  [][]part  // by depth: scratch space of walk
	unions [][]uint64
	table  numbering
	seen   numbering
	width  []int32 // by set of columns: BDD nodes of the level below it
	nodes  []int32 // by set of columns and next column: ZDD nodes of that level
	cost   []int32 // by set of columns: least cost of the rest of the row
}

// part is a cofactor's vector without some of its columns.
type part struct {
	sum uint64
	of  int32
}

func newRowWorker(l *rowLattice) *rowWorker {
	w := &rowWorker{
		rowLattice: l, lists: make([][]part, l.n+1), unions: make([][]uint64, l.n+1),
		width: make([]int32, 1<<l.n), cost: make([]int32, 1<<l.n),
	}
	if l.diagram == diagram.ZDD {
		w.nodes = make([]int32, l.n<<l.n)
	}
	return w
}

// next finds the best next row below a set of rows, and returns how many were tried.
func (w *rowWorker) next(ctx context.Context, rows uint32) int {
	w.above.find(w.rowLattice, rows, &w.table)
	best := rowStep{}
	tried := 0
	for row := range w.n {
		with := rows | 1<<row
		if with == rows || !w.allowed(with) || w.best[with].columns == nil && with != 1<<w.n-1 {
			continue
		}
		if ctx.Err() != nil {
			return tried
		}
		// Below a set that is its own mirror image, a row and its image cost the
		// same.
		if rows == mirrored(w.n, rows) && row > w.n-1-row {
			continue
		}
		tried++
		w.below.find(w.rowLattice, with, &w.table)
		w.prepare(row)
		w.walk(0, 0, 0, true)
		if nodes := w.chain() + w.best[with].nodes; best.columns == nil || nodes < best.nodes {
			best = rowStep{nodes: nodes, row: uint8(row), columns: w.follow()}
		}
	}
	w.best[rows] = best
	return tried
}

// prepare fills the vectors for a row.
func (w *rowWorker) prepare(row int) {
	n := w.n
	w.words = (w.below.count + 63) / 64
	w.reach = zeroed(w.reach, n*w.words)
	w.vector = zeroed(w.vector, n*w.above.count)
	w.filled = zeroed(w.filled, w.above.count)
	for i, c := range w.column[row] {
		q, to := int(w.above.of[i]), w.below.of[i]
		w.vector[q*n+int(c)] = to + 1
		w.filled[q] |= 1 << c
		w.reach[int(c)*w.words+int(to)/64] |= 1 << (to % 64)
	}
	list := w.lists[0][:0]
	for q := range w.above.count {
		p := part{of: int32(q)}
		for c, to := range w.vector[q*n : (q+1)*n] {
			if to != 0 {
				p.sum += entryHash(c, to)
			}
		}
		list = append(list, p)
	}
	w.lists[0] = list
	w.unions[0] = zeroed(w.unions[0], w.words)
}

// zeroed returns an all-zero slice of length n, in the memory of s if it fits.
func zeroed[T any](s []T, n int) []T {
	s = slices.Grow(s[:0], n)[:n]
	clear(s)
	return s
}

func entryHash(column int, to int32) uint64 {
	return mix(uint64(column+1)<<32 | uint64(to))
}

// walk decides column by column, from both edges inward, which columns are taken.
// Taking a column merges vectors that differ only there, for good, so the lists
// shrink on the way down. even says that the choice so far is its own mirror image,
// so of two continuations that mirror each other one is enough.
func (w *rowWorker) walk(place, depth int, taken uint32, even bool) {
	if place == w.n {
		w.measure(depth, taken)
		return
	}
	c := place / 2
	if place%2 == 1 {
		c = w.n - 1 - c
	}
	if place%2 == 0 || !even {
		w.walk(place+1, depth, taken, even)
		w.take(depth, c)
		w.walk(place+1, depth+1, taken|1<<c, even)
		return
	}
	// The second of two columns that mirror each other: take neither, the first, or
	// both.
	if taken>>(place/2)&1 == 0 {
		w.walk(place+1, depth, taken, true)
		return
	}
	w.walk(place+1, depth, taken, false)
	w.take(depth, c)
	w.walk(place+1, depth+1, taken|1<<c, true)
}

// take computes the list and the union of the next depth, with column c taken.
func (w *rowWorker) take(depth, c int) {
	from, to := w.lists[depth], w.lists[depth+1][:0]
	w.seen.clear(len(from))
	for _, p := range from {
		if entry := w.vector[int(p.of)*w.n+c]; entry != 0 {
			p.sum -= entryHash(c, entry)
		}
		if p.sum != 0 && w.seen.add(p.sum, 0) < 0 {
			to = append(to, p)
		}
	}
	w.lists[depth+1] = to
	union := zeroed(w.unions[depth+1], w.words)
	for i, word := range w.unions[depth] {
		union[i] = word | w.reach[c*w.words+i]
	}
	w.unions[depth+1] = union
}

// measure records the width of the level below a set of columns, and below its
// mirror image.
func (w *rowWorker) measure(depth int, taken uint32) {
	image := mirrored(w.n, taken)
	if w.diagram == diagram.BDD {
		width := len(w.lists[depth])
		for _, word := range w.unions[depth] {
			width += bits.OnesCount64(word)
		}
		w.width[taken], w.width[image] = int32(width), int32(width)
		return
	}
	nodes := w.nodes[int(taken)*w.n : (int(taken)+1)*w.n]
	clear(nodes)
	for _, p := range w.lists[depth] {
		for left := w.filled[p.of] &^ taken; left != 0; left &= left - 1 {
			nodes[bits.TrailingZeros32(left)]++
		}
	}
	for c, count := range nodes {
		w.nodes[int(image)*w.n+w.n-1-c] = count
	}
}

// level returns the number of nodes on the level of column c below a set of
// columns.
func (w *rowWorker) level(taken uint32, c int) int32 {
	if w.diagram == diagram.ZDD {
		return w.nodes[int(taken)*w.n+c]
	}
	return w.width[taken]
}

// chain returns the least cost of the row.
func (w *rowWorker) chain() int32 {
	full := uint32(1)<<w.n - 1
	w.cost[full] = 0
	for taken := int(full) - 1; taken >= 0; taken-- {
		least := int32(1<<31 - 1)
		for left := full &^ uint32(taken); left != 0; left &= left - 1 {
			c := bits.TrailingZeros32(left)
			least = min(least, w.level(uint32(taken), c)+w.cost[uint32(taken)|1<<c])
		}
		w.cost[taken] = least
	}
	return w.cost[0]
}

// follow reads a cheapest sequence of columns off the finished table.
func (w *rowWorker) follow() (columns []uint8) {
	for taken := uint32(0); len(columns) < w.n; {
		for c := range w.n {
			if taken>>c&1 == 0 && w.level(taken, c)+w.cost[taken|1<<c] == w.cost[taken] {
				columns = append(columns, uint8(c))
				taken |= 1 << c
				break
			}
		}
	}
	return columns
}

// cofactors numbers the different cofactors below a set of rows.
type cofactors struct {
	count int
	of    []int32  // by solution: its cofactor's number
	sums  []uint64 // scratch space, by the part above
}

func (f *cofactors) find(l *rowLattice, rows uint32, table *numbering) {
	f.of = zeroed(f.of, len(l.sizer.whole))
	f.sums = f.sums[:0]
	table.clear(len(f.of))
	for i, whole := range l.sizer.whole {
		var above uint64
		for left := rows; left != 0; left &= left - 1 {
			r := bits.TrailingZeros32(left)
			above ^= l.sizer.key[r*l.n+int(l.column[r][i])]
		}
		number := table.add(mix(above+1), int32(len(f.sums)))
		if number < 0 {
			number = int32(len(f.sums))
			f.sums = append(f.sums, 0)
		}
		f.of[i] = number
		f.sums[number] += mix(whole ^ above)
	}
	table.clear(len(f.sums))
	f.count = 0
	numbers := zeroed(make([]int32, 0, len(f.sums)), len(f.sums))
	for i, sum := range f.sums {
		numbers[i] = table.add(sum, int32(f.count))
		if numbers[i] < 0 {
			numbers[i] = int32(f.count)
			f.count++
		}
	}
	for i, number := range f.of {
		f.of[i] = numbers[number]
	}
}

// numbering is a hash table from well-mixed words to numbers.
type numbering struct {
	slots []numbered
	mask  uint64
	round uint32
}

type numbered struct {
	word   uint64
	number int32
	round  uint32
}

// clear empties the table and makes room for this many words.
func (t *numbering) clear(words int) {
	size := 1 << bits.Len(uint(2*words))
	if t.round++; size > len(t.slots) || t.round == 0 {
		t.slots = make([]numbered, max(size, len(t.slots)))
		t.round = 1
	}
	t.mask = uint64(size - 1)
}

// add returns the number of a word; if it has none, add gives it this number
// and returns -1.
func (t *numbering) add(word uint64, number int32) int32 {
	for at := word & t.mask; ; at = (at + 1) & t.mask {
		slot := &t.slots[at]
		if slot.round != t.round {
			*slot = numbered{word, number, t.round}
			return -1
		}
		if slot.word == word {
			return slot.number
		}
	}
}
