package table

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"slices"

	"queens/backends"
	"queens/backends/recall"
	"queens/board"
	"queens/board/listing"
	"queens/encode"
	"queens/encode/cnf"
)

// Most is the largest number of solutions that are listed: enough for queens n = 15,
// which then takes 140 MB.
const Most = 1 << 22

// widest is the largest board that is listed row by row.
const widest = 32

// Oracle answers questions about one problem from the list of its solutions.
type Oracle struct {
	problem  encode.Problem
	words    int      // machine words of a row
	rows     []uint64 // bit v-1 of a row's words: variable v is true
	count    int      // of rows
	matrices []matrix // by column: the solutions, and then the summaries

	or, and []uint64 // buffers for an answer

	book     *recall.Book
	kept     []narrowed // by openings: each under more assumptions than the one before
	maxBytes int64      // of all; 0 for no bound
}

var (
	_ backends.Preparer = (*Oracle)(nil)
	_ backends.Counter  = (*Oracle)(nil)
	_ backends.Sampler  = (*Oracle)(nil)
)

// Takes returns an error if a problem can be rejected before its solutions are listed: nothing is fixed, and
// too large a number is published for its family and size or, if none is, for the next smaller size with one.
func Takes(p encode.Problem) error {
	family, err := encode.FamilyNamed(p.Family)
	if err != nil || len(p.Fixed) > 0 {
		return nil
	}
	for n := p.N; n > 0; n-- {
		if known, published := family.Known(n); published {
			if !known.IsInt64() || known.Int64() > Most {
				return tooMany(p, Most)
			}
			break
		}
	}
	return nil
}

// ByRows reports whether [New] lists the solutions of a problem itself, row by row.
func ByRows(p encode.Problem) bool { return p.IsQueens() && p.N <= widest }

func tooMany(p encode.Problem, most int) error {
	return fmt.Errorf("listing %s: more than %d solutions; bdd, search and sat keep no list",
		p, most)
}

// Room returns the number of solutions for which a list has room in the given number of bytes; 0 means no bound but [Most].
func Room(p encode.Problem, bytes int64) int {
	if bytes <= 0 {
		return Most
	}
	return int(min(Most, bytes/bytesEach(p)))
}

// bytesEach returns the bytes of a solution: a list with room for a quarter more, and its columns.
func bytesEach(p encode.Problem) int64 { return 20 * int64(max(1, (p.NumVars()+63)/64)) }

// New lists the solutions. It finds those of queens on boards of up to 32 row by row, and takes those of
// every other problem from solutions, which must yield each once. maxBytes bounds the memory of the list; 0
// means no bound but [Most]. The error wraps a *backends.LimitError if the list would exceed it.
func New(
	ctx context.Context, p encode.Problem, solutions iter.Seq2[[]cnf.Lit, error], maxBytes int64,
) (*Oracle, error) {
	words := (p.NumVars() + 63) / 64
	t := &Oracle{problem: p, words: words, maxBytes: maxBytes, or: make([]uint64, words), and: make([]uint64, words)}
	most, err := Room(p, maxBytes), error(nil)
	if ByRows(p) {
		err = t.queens(ctx, most)
	} else {
		err = t.list(solutions, most)
	}
	switch {
	case errors.Is(err, errFull) && most < Most:
		limit := &backends.LimitError{What: "bytes", Limit: maxBytes, Want: int64(most+1) * bytesEach(p)}
		return nil, fmt.Errorf("listing %s: more than %d solutions: %w", p, most, limit)
	case errors.Is(err, errFull):
		return nil, tooMany(p, most)
	case err != nil:
		return nil, fmt.Errorf("listing %s: %w", p, err)
	}
	t.transpose()
	t.book = recall.NewBook(p, t, scan)
	return t, nil
}

var errFull = errors.New("too many solutions")

// Stats implements [backends.Backend]. It counts the memory of the list, and of what openings keeps.
func (t *Oracle) Stats() backends.Stats {
	return backends.Stats{Bytes: t.listBytes() + 4*int64(t.keptRows()) + t.book.Bytes()}
}

func (t *Oracle) listBytes() int64 {
	words := cap(t.rows)
	for _, m := range t.matrices {
		words += len(m.columns) + len(m.full)
	}
	return 8 * int64(words)
}

// Close implements [backends.Backend].
func (t *Oracle) Close() error { return nil }

// large is the number of words of a list beside which a garbage collection takes no time.
const large = 1 << 20

// row returns the words of a solution's row.
func (t *Oracle) row(s int) []uint64 { return t.rows[s*t.words : (s+1)*t.words] }

// addRow adds a row and returns its words; errFull if there are most rows already.
func (t *Oracle) addRow(most int) ([]uint64, error) {
	if t.count++; t.count > most {
		return nil, errFull
	}
	end := len(t.rows)
	if end+t.words > cap(t.rows) && end > large { // what the list has outgrown before would still be held
		runtime.GC()
	}
	t.rows = slices.Grow(t.rows, t.words)[:end+t.words]
	clear(t.rows[end:])
	return t.rows[end:], nil
}

func (t *Oracle) list(solutions iter.Seq2[[]cnf.Lit, error], most int) error {
	for model, err := range solutions {
		if err != nil {
			return err
		}
		row, err := t.addRow(most)
		if err != nil {
			return err
		}
		for i, l := range model {
			if l > 0 {
				row[i/64] |= 1 << (i % 64)
			}
		}
	}
	return nil
}

// queens lists the solutions row by row. If the fixed cells are their own mirror image, left to
// right, it searches only those with the first row's queen in the left half, and adds their images.
func (t *Oracle) queens(ctx context.Context, most int) error {
	n := t.problem.N
	allowed := listing.Allowed(t.problem.Position(nil))
	put := func(cols []int, mirror int) error {
		row, err := t.addRow(most)
		if err != nil {
			return err
		}
		for r, col := range cols {
			if mirror > 0 {
				col = mirror - col
			}
			row[(r*n+col)/64] |= 1 << ((r*n + col) % 64)
		}
		return nil
	}
	walk := func(first uint64, mirror bool) error {
		from := slices.Clone(allowed)
		from[0] &= first
		return listing.All(n, from, ctx.Err, func(cols []int) error {
			err := put(cols, 0)
			if mirror && err == nil {
				err = put(cols, n-1)
			}
			return err
		})
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if n == 1 || !slices.Contains(board.Keeping(n, t.problem.Values(nil)), board.FlipColumns) {
		return walk(1<<n-1, false)
	}
	left := uint64(1)<<(n/2) - 1
	if err := walk(left, true); err != nil || n%2 == 0 {
		return err
	}
	return walk(left+1, false)
}

// matrix has a column of bits for each variable. In the bottom matrix, a column has a bit for each solution.
// In a summary above it, a column has a bit for each word of the column below, set if the word is not 0. So
// a question under several assumptions skips most words of the solutions.
type matrix struct {
	words   int      // of a column
	columns []uint64 // by variable
	full    []uint64 // a column with all bits set that stand for a solution, or for a word below
}

func newMatrix(vars, bits int) matrix {
	m := matrix{words: (bits + 63) / 64}
	m.columns, m.full = make([]uint64, vars*m.words), slices.Repeat([]uint64{^uint64(0)}, m.words)
	if rest := bits % 64; rest > 0 {
		m.full[m.words-1] = 1<<rest - 1
	}
	return m
}

// column returns the column of a variable.
func (m *matrix) column(v cnf.Var) []uint64 {
	return m.columns[(int(v)-1)*m.words : int(v)*m.words]
}

// topWords is the largest number of words in a column of the top matrix: with more, another summary pays.
// There are two summaries at n = 14, none at n = 10.
const topWords = 16

func (t *Oracle) transpose() {
	vars := t.problem.NumVars()
	m := newMatrix(vars, t.count)
	for s := range t.count {
		for v := range ones(t.row(s)) {
			m.columns[v*m.words+s/64] |= 1 << (s % 64)
		}
	}
	t.matrices = []matrix{m}
	for m.words > topWords {
		above := newMatrix(vars, m.words)
		for v := cnf.Var(1); int(v) <= vars; v++ {
			to := above.column(v)
			for i, w := range m.column(v) {
				if w != 0 {
					to[i/64] |= 1 << (i % 64)
				}
			}
		}
		t.matrices, m = append(t.matrices, above), above
	}
}

// ones iterates over the indices of the bits that are set.
func ones(words []uint64) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, w := range words {
			for ; w != 0; w &= w - 1 {
				if !yield(i*64 + bits.TrailingZeros64(w)) {
					return
				}
			}
		}
	}
}

// under iterates over the solutions under assumptions, 64 at a time: it yields an index i, and a word of
// bits for the solutions from 64*i on. The assumptions must be literals of the problem.
func (t *Oracle) under(assume []cnf.Lit) iter.Seq2[int, uint64] {
	return func(yield func(int, uint64) bool) {
		var visit func(level, i int) bool
		visit = func(level, i int) bool {
			m := &t.matrices[level]
			w := m.full[i]
			for _, l := range assume {
				if l.Positive() {
					w &= m.columns[(int(l)-1)*m.words+i]
				} else if level == 0 { // in hardly any word is the variable true in all solutions
					w &^= m.columns[(-int(l)-1)*m.words+i]
				}
				if w == 0 {
					return true
				}
			}
			if level == 0 {
				return yield(i, w)
			}
			for ; w != 0; w &= w - 1 {
				if !visit(level-1, i*64+bits.TrailingZeros64(w)) {
					return false
				}
			}
			return true
		}
		top := len(t.matrices) - 1
		for i := range t.matrices[top].words {
			if !visit(top, i) {
				return
			}
		}
	}
}

// matches iterates over the solutions under assumptions, as their rows.
func (t *Oracle) matches(assume []cnf.Lit) iter.Seq[[]uint64] {
	return func(yield func([]uint64) bool) {
		for b, w := range t.under(assume) {
			for row := range t.inWord(b, w) {
				if !yield(row) {
					return
				}
			}
		}
	}
}

// inWord iterates over the solutions of a word that under yields, as their rows.
func (t *Oracle) inWord(i int, word uint64) iter.Seq[[]uint64] {
	return func(yield func([]uint64) bool) {
		for ; word != 0; word &= word - 1 {
			s := i*64 + bits.TrailingZeros64(word)
			if !yield(t.row(s)) {
				return
			}
		}
	}
}

func (t *Oracle) check(ctx context.Context, assume []cnf.Lit) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return t.problem.CheckAssumptions(assume)
}

// Solve implements [backends.Backend]. The core of an UNSAT answer is all assumptions.
func (t *Oracle) Solve(ctx context.Context, assume []cnf.Lit) (backends.Answer, error) {
	for model, err := range t.Solutions(ctx, assume) {
		return backends.Answer{Status: backends.Sat, Model: model}, err
	}
	return backends.Answer{Status: backends.Unsat, Core: slices.Clone(assume)}, nil
}

// Solutions implements [backends.Backend].
func (t *Oracle) Solutions(ctx context.Context, assume []cnf.Lit) iter.Seq2[[]cnf.Lit, error] {
	return func(yield func([]cnf.Lit, error) bool) {
		if err := t.check(ctx, assume); err != nil {
			yield(nil, err)
			return
		}
		for row := range t.matches(assume) {
			if err := ctx.Err(); err != nil {
				yield(nil, err)
				return
			}
			if !yield(t.model(row), nil) {
				return
			}
		}
	}
}

// model returns a row's solution as a model.
func (t *Oracle) model(row []uint64) []cnf.Lit {
	model := cnf.Model(t.problem.NumVars())
	for v := range ones(row) {
		model[v] = cnf.Lit(v + 1)
	}
	return model
}

// Samples implements [backends.Sampler]. It finds the solutions under the assumptions once, before the first
// draw.
func (t *Oracle) Samples(ctx context.Context, assume []cnf.Lit, seed uint64) iter.Seq2[[]cnf.Lit, error] {
	return func(yield func([]cnf.Lit, error) bool) {
		if err := t.check(ctx, assume); err != nil {
			yield(nil, err)
			return
		}
		var rows []int
		for i, w := range t.under(assume) {
			for ; w != 0; w &= w - 1 {
				rows = append(rows, i*64+bits.TrailingZeros64(w))
			}
		}
		random := rand.New(rand.NewPCG(seed, 0))
		for len(rows) > 0 {
			s := rows[random.IntN(len(rows))]
			if err := ctx.Err(); err != nil {
				yield(nil, err)
				return
			}
			if !yield(t.model(t.rows[s*t.words:(s+1)*t.words]), nil) {
				return
			}
		}
	}
}

// Count implements [backends.Counter].
func (t *Oracle) Count(ctx context.Context, assume []cnf.Lit) (*big.Int, error) {
	if err := t.check(ctx, assume); err != nil {
		return nil, err
	}
	total := int64(0)
	for _, w := range t.under(assume) {
		total += int64(bits.OnesCount64(w))
	}
	return big.NewInt(total), nil
}

// few is the smallest number of solutions in a word for which counting by column is faster than by row.
const few = 8

// CountEach implements [backends.Counter].
func (t *Oracle) CountEach(ctx context.Context, assume []cnf.Lit) (*big.Int, []*big.Int, error) {
	if err := t.check(ctx, assume); err != nil {
		return nil, nil, err
	}
	total, each := int64(0), make([]int64, t.problem.NumVars())
	m := &t.matrices[0]
	for b, w := range t.under(assume) {
		total += int64(bits.OnesCount64(w))
		if bits.OnesCount64(w) < few {
			for row := range t.inWord(b, w) {
				for v := range ones(row) {
					each[v]++
				}
			}
			continue
		}
		for v := range each {
			each[v] += int64(bits.OnesCount64(w & m.columns[v*m.words+b]))
		}
	}
	counts := make([]*big.Int, len(each))
	for v, n := range each {
		counts[v] = big.NewInt(n)
	}
	return big.NewInt(total), counts, nil
}

// The methods.
const (
	scan     = "scan"
	openings = "openings"
)

type answer = func(*Oracle, context.Context, []cnf.Lit) (backends.Valid, error)

var ways = []backends.Way[answer]{
	{Method: backends.Method{
		Name: scan, Title: "all solutions, listed", LargestBoard: 13,
		Doc: "goes through the listed solutions that agree with the assumptions",
	}, Answer: (*Oracle).scanned},
	{Method: backends.Method{
		Name: openings, Title: "all solutions, with openings", LargestBoard: 14, Remembers: true,
		Doc: "is scan, but knows the answers of boards of queens without or with one queen, and goes on from the solutions " +
			"that agreed with the last question",
	}, Answer: (*Oracle).opened},
}

// Methods lists the methods.
func Methods() []backends.Method { return backends.Methods(ways) }

// Prepare implements [backends.Preparer]: for openings, it fills the book.
func (t *Oracle) Prepare(ctx context.Context, method string) error {
	if method != openings {
		return nil
	}
	return t.book.Fill(ctx)
}

// Valid implements [backends.Backend]. Its work is the number of solutions that it looked at, and that of
// all solutions.
func (t *Oracle) Valid(ctx context.Context, assume []cnf.Lit, method string) (backends.Valid, error) {
	way, err := backends.Choose(ways, "table", method)
	if err == nil {
		err = t.check(ctx, assume)
	}
	if err != nil {
		return backends.Valid{}, err
	}
	valid, err := way.Answer(t, ctx, assume)
	valid.Method = way.Name
	return valid, err
}

// scanned is the method scan.
func (t *Oracle) scanned(_ context.Context, assume []cnf.Lit) (backends.Valid, error) {
	return t.summed(t.matches(assume)), nil
}

// summed returns the answer that solutions show together: what is true in some of them, and in all.
func (t *Oracle) summed(rows iter.Seq[[]uint64]) (valid backends.Valid) {
	clear(t.or)
	for i := range t.and {
		t.and[i] = ^uint64(0)
	}
	found := int64(0)
	for row := range rows {
		found++
		for i, w := range row {
			t.or[i] |= w
			t.and[i] &= w
		}
	}
	if valid.Satisfiable = found > 0; valid.Satisfiable {
		valid.Possible, valid.Forced = variables(t.or), variables(t.and)
	}
	valid.Work = t.looked(found)
	return valid
}

// looked returns the work of looking at some solutions.
func (t *Oracle) looked(at int64) backends.Work {
	return backends.Work{{Name: "matches", N: at}, {Name: "solutions", N: int64(t.count)}}
}

// variables lists the variables whose bits are set.
func variables(words []uint64) (vars []cnf.Var) {
	for v := range ones(words) {
		vars = append(vars, cnf.Var(v+1))
	}
	return vars
}
