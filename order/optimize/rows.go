package optimize

import (
	"context"
	"math/bits"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"queens/encode/cnf"
	"queens/order"
	"queens/robdd"
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

// MinimumByRows proves the smallest size over all orders by whole rows of a board without queens:
// one row after another, in any sequence, with the cells of each row in any sequence.
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
// Cofactors and vectors are compared by 64-bit sums, and the minimum is proved as soon as an engine
// shows that the returned order attains it, as in [Minimum].
//
// It considers only sequences in which the set of rows above, or its mirror image, is
// allowed at every step. nil allows all 2^n sets; this takes the time of about
// n*2^2n/8 sweeps over the cofactors, so n = 12 takes twenty minutes on one core. See
// [FromEnds] and [InSequence] for fewer sets.
func MinimumByRows(
	ctx context.Context, s *Sizer, n int, d robdd.Kind, allowed func(rows uint32) bool, workers int,
) (Rows, error) {
	return newRowLattice(s, n, d, allowed).solve(ctx, max(1, workers))
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
	diagram robdd.Kind
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

func newRowLattice(s *Sizer, n int, d robdd.Kind, allow func(uint32) bool) *rowLattice {
	l := &rowLattice{n: n, diagram: d, allow: allow, sizer: s, column: make([][]uint8, n), best: make([]rowStep, 1<<n)}
	for r := range l.column {
		l.column[r] = make([]uint8, len(s.whole))
		for c := range n {
			for _, i := range s.holds[r*n+c] {
				l.column[r][i] = uint8(c)
			}
		}
	}
	return l
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
	var steps atomic.Int64
	for size := l.n - 1; size >= 0; size-- {
		var sets []uint32
		for rows := range full {
			if bits.OnesCount32(rows) == size && rows <= mirrored(l.n, rows) && l.allowed(rows) {
				sets = append(sets, rows)
			}
		}
		result.Sets += len(sets)
		next := make(chan uint32, len(sets))
		for _, rows := range sets {
			next <- rows
		}
		close(next)
		g, ctx := errgroup.WithContext(ctx)
		for range min(workers, len(sets)) {
			g.Go(func() error {
				w := newRowWorker(l)
				for rows := range next {
					tried, err := w.next(ctx, rows)
					if err != nil {
						return err
					}
					steps.Add(int64(tried))
				}
				return nil
			})
		}
		if err := g.Wait(); err != nil {
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
	table  table
	nodes  []int32 // by set of columns and next column: nodes of that column's level
	cost   []int32 // by set of columns: least cost of the rest of the row
}

// part is a cofactor's vector without some of its columns.
type part struct {
	sum uint64
	of  int32
}

func newRowWorker(l *rowLattice) *rowWorker {
	return &rowWorker{
		rowLattice: l, lists: make([][]part, l.n+1), unions: make([][]uint64, l.n+1),
		nodes: make([]int32, l.n<<l.n), cost: make([]int32, 1<<l.n),
	}
}

// next finds the best next row below a set of rows, and returns how many were tried.
func (w *rowWorker) next(ctx context.Context, rows uint32) (tried int, err error) {
	w.above.find(w.rowLattice, rows, &w.table)
	best := rowStep{}
	for row := range w.n {
		with := rows | 1<<row
		if with == rows || !w.allowed(with) || w.best[with].columns == nil && with != 1<<w.n-1 {
			continue
		}
		if ctx.Err() != nil {
			return tried, ctx.Err()
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
	return tried, nil
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
	w.table.clear(len(from))
	for _, p := range from {
		if entry := w.vector[int(p.of)*w.n+c]; entry != 0 {
			p.sum -= entryHash(c, entry)
		}
		if p.sum == 0 {
			continue
		}
		if e, known := w.table.find(p.sum); !known {
			*e = entry{word: p.sum, round: w.table.round} // there is room
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

// measure records the nodes of the level below a set of columns, and below its
// mirror image.
func (w *rowWorker) measure(depth int, taken uint32) {
	nodes := w.nodes[int(taken)*w.n : (int(taken)+1)*w.n]
	clear(nodes)
	if w.diagram == robdd.BDD {
		width := len(w.lists[depth])
		for _, word := range w.unions[depth] {
			width += bits.OnesCount64(word)
		}
		for c := range nodes {
			nodes[c] = int32(width)
		}
	} else {
		for _, p := range w.lists[depth] {
			for left := w.filled[p.of] &^ taken; left != 0; left &= left - 1 {
				nodes[bits.TrailingZeros32(left)]++
			}
		}
	}
	image := int(mirrored(w.n, taken)) * w.n
	for c, count := range nodes {
		w.nodes[image+w.n-1-c] = count
	}
}

// chain returns the least cost of the row.
func (w *rowWorker) chain() int32 {
	full := uint32(1)<<w.n - 1
	w.cost[full] = 0
	for taken := int(full) - 1; taken >= 0; taken-- {
		least := int32(1<<31 - 1)
		for left := full &^ uint32(taken); left != 0; left &= left - 1 {
			c := bits.TrailingZeros32(left)
			least = min(least, w.nodes[taken*w.n+c]+w.cost[uint32(taken)|1<<c])
		}
		w.cost[taken] = least
	}
	return w.cost[0]
}

// follow reads a cheapest sequence of columns off the finished table.
func (w *rowWorker) follow() (columns []uint8) {
	for taken := uint32(0); len(columns) < w.n; {
		for c := range w.n {
			if taken>>c&1 == 0 && w.nodes[int(taken)*w.n+c]+w.cost[taken|1<<c] == w.cost[taken] {
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

func (f *cofactors) find(l *rowLattice, rows uint32, t *table) {
	f.of = zeroed(f.of, len(l.sizer.whole))
	f.sums = f.sums[:0]
	t.clear(len(f.of))
	for i, whole := range l.sizer.whole {
		var above uint64
		for left := rows; left != 0; left &= left - 1 {
			r := bits.TrailingZeros32(left)
			above ^= l.sizer.key[r*l.n+int(l.column[r][i])]
		}
		f.of[i] = t.number(mix(above + 1))
		if int(f.of[i]) == len(f.sums) {
			f.sums = append(f.sums, 0)
		}
		f.sums[f.of[i]] += mix(whole ^ above)
	}
	t.clear(len(f.sums))
	for i, part := range f.of {
		f.of[i] = t.number(f.sums[part])
	}
	f.count = t.used
}
