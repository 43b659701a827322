package search

import (
	"context"
	"math/bits"
	"slices"

	"queens/backends/recall"
	"queens/encode"
	"queens/encode/cnf"
)

// question finds the literals that are true in some solution. Successive questions reuse its memory.
type question struct {
	walker
	vars     int  // of the problem, without auxiliary ones
	positive bool // look only for positive literals: the problem's cover determines the forced variables

	assume      []cnf.Lit
	shown       literals // true in some solution
	missing     literals // open, and not shown yet
	left        int      // number of missing literals
	satisfiable bool
	walks       int64
	held        []bool // buffer of show

	// For remember.
	memory  *recall.Memory // nil for other methods
	kept    []cnf.Var      // true in the solution kept last
	changed []cnf.Lit      // memory of keep

	// For supports.
	classes *encode.Classes // maps what is found to its images; nil while only few solutions are listed
	want    wanted
	most    int                 // number of solutions that the list may still get
	each    func(*partial) bool // the method value q.support, allocated once
}

func newQuestion(p encode.Problem, w walker, covered bool) *question {
	q := &question{walker: w, vars: p.NumVars(), positive: covered}
	set := func() literals { return literals{words: make([]uint64, p.AllVars()/32+1)} }
	if t, onMasks := w.(*narrow); onMasks {
		set = func() literals { return literals{words: make([]uint64, t.N, len(t.Allowed)), n: t.N} }
	}
	q.shown, q.missing, q.each = set(), set(), q.support
	return q
}

// begin clears the results of the last question.
func (q *question) begin(assume []cnf.Lit) {
	clear(q.shown.words)
	clear(q.missing.words)
	q.assume, q.satisfiable, q.walks, q.left, q.classes = assume, false, 0, 0, nil
}

// show records the literals that are true in some of the solutions that s stands for.
func (q *question) show(s *partial) {
	q.satisfiable = true
	if q.memory != nil {
		q.keep(s)
	}
	left := q.left
	for row, col := range s.cols {
		bit := uint64(1) << (col & 63)
		q.shown.words[row] |= bit
		left -= int(q.missing.words[row] >> (col & 63) & 1)
		q.missing.words[row] &^= bit
	}
	if q.left = left; s.cols != nil {
		return
	}
	for _, vars := range [2][]cnf.Var{s.held, s.free} {
		for _, v := range vars {
			q.see(v.Pos())
		}
	}
	if q.positive {
		return
	}
	if q.held == nil {
		q.held = make([]bool, q.vars)
	}
	clear(q.held)
	for _, v := range s.held {
		q.held[v-1] = true
	}
	for i, yes := range q.held {
		if !yes {
			q.see(cnf.Var(i + 1).Neg())
		}
	}
}

// see records a literal that is true in some solution.
func (q *question) see(l cnf.Lit) {
	if q.shown.add(l); q.settle(l) && q.classes != nil {
		q.classes.Images(l, q.see)
	}
}

// settle removes a literal from the missing ones, and reports whether it was among them.
func (q *question) settle(l cnf.Lit) bool {
	word, bit := q.missing.at(l)
	if q.missing.words[word]&bit == 0 {
		return false
	}
	q.missing.words[word] &^= bit
	q.left--
	return true
}

// variables returns the variables that are true in some solution, and those that are true in all.
func (q *question) variables(cover *encode.Cover) (possible, forced []cnf.Var) {
	if t, onMasks := q.walker.(*narrow); onMasks && q.satisfiable {
		return q.onMasks(t.N)
	}
	possible = slices.Grow(possible, q.shown.size())
	for v := cnf.Var(1); int(v) <= q.vars; v++ {
		if !q.shown.has(v.Pos()) {
			continue
		}
		possible = append(possible, v)
		if cover == nil && !q.shown.has(v.Neg()) {
			forced = append(forced, v)
		}
	}
	if cover != nil {
		forced = cover.Forced(possible)
	}
	return possible, forced
}

// onMasks returns the variables of the cells shown. A row's only cell is forced.
func (q *question) onMasks(n int) (possible, forced []cnf.Var) {
	size := q.shown.size()
	vars := make([]cnf.Var, size+n) // one piece of memory for both
	possible, forced = vars[:0:size], vars[size:size]
	for row, cells := range q.shown.words {
		before := len(possible)
		for ; cells != 0; cells &= cells - 1 {
			possible = append(possible, cnf.Var(row*n+bits.TrailingZeros64(cells)+1))
		}
		if len(possible) == before+1 {
			forced = append(forced, possible[before])
		}
	}
	return possible, forced
}

// under makes one walk under assumptions.
func (q *question) under(ctx context.Context, assume []cnf.Lit, want wanted) error {
	q.walks++
	if err := ctx.Err(); err != nil || !q.start(assume) {
		return err
	}
	return q.walk(ctx, 0, 0, want, func(s *partial) bool { q.show(s); return want == every })
}

// enumerate visits every solution.
func (q *question) enumerate(ctx context.Context) error { return q.under(ctx, q.assume, every) }

// reuse makes a walk through each literal that no walk has shown.
func (q *question) reuse(ctx context.Context) error { return q.oneByOne(ctx, false) }

// perCell makes a walk through each literal.
func (q *question) perCell(ctx context.Context) error { return q.oneByOne(ctx, true) }

// oneByOne makes a walk through each literal, attacked or not: through all of them, or only through those
// that are true in no solution found so far.
func (q *question) oneByOne(ctx context.Context, all bool) error {
	if err := q.under(ctx, q.assume, one); err != nil || !q.satisfiable {
		return err
	}
	assume := append(slices.Clone(q.assume), 0)
	for v := cnf.Var(1); int(v) <= q.vars; v++ {
		for _, l := range [2]cnf.Lit{v.Pos(), v.Neg()} {
			if l == v.Neg() && (q.positive || !q.shown.has(v.Pos())) || !all && q.shown.has(l) {
				continue
			}
			assume[len(q.assume)] = l
			if err := q.under(ctx, assume, one); err != nil {
				return err
			}
		}
	}
	return nil
}

// listed is the number of solutions that a list may have for each literal of the split. Its cost may be
// twice that of as many solutions found without backtracking. Longer lists are seldom faster than looking
// for the missing supports one by one (n = 12 to 32, families, formulas), and a list that is given up is at
// most a tenth of the cost.
const listed = 8

// supports looks for a support of every literal that the assumptions leave open: a solution that contains it.
//
// Where there are few solutions, it is fastest to list them, through each literal of a split in turn. If the
// list gets long, supports gives it up and looks for a solution through each literal without a support. Such
// a walk tries literals without a support first, so that one solution supports many. Later walks set a
// literal to false if it has no support.
func (q *question) supports(ctx context.Context) error {
	if err := ctx.Err(); err != nil || !q.start(q.assume) {
		return err
	}
	split := q.open(&q.missing, q.positive)
	if q.memory != nil {
		var consistent bool
		if split, consistent = q.recall(split); !consistent {
			return nil
		}
		if q.left = q.missing.size(); q.left == 0 && q.satisfiable {
			return nil
		}
	}
	if q.left = q.missing.size(); q.left == 0 { // it remains to find whether there is a solution
		return q.through(ctx, 0, 0, one)
	}
	if g, is := q.walker.(*general); is {
		if err := q.apart(ctx, g); err != nil || q.left == 0 {
			return err
		}
	}
	if err := q.list(ctx, split); err != errLimit {
		return err
	}
	if !q.satisfiable {
		if err := q.through(ctx, 0, 0, one); err != nil || !q.satisfiable {
			return err
		}
	}
	return q.missed(ctx)
}

// apart settles the literals of long constraints that share no open variable with another: if there is a solution, each
// is true in some and false in some. A walk through each sets all of them, so it takes the square of their number.
func (q *question) apart(ctx context.Context, g *general) error {
	lits := g.separate()
	if len(lits) == 0 {
		return nil
	}
	if !q.satisfiable {
		if err := q.through(ctx, 0, 0, one); err != nil {
			return err
		}
	}
	if !q.satisfiable {
		q.left = 0
		return nil
	}
	for _, l := range lits {
		if q.see(l); !q.positive {
			q.see(l.Not())
		}
	}
	return nil
}

// list visits solutions until it has visited all, or no literal is missing. It returns errLimit if that
// takes too many.
func (q *question) list(ctx context.Context, split []cnf.Lit) error {
	if len(split) == 0 {
		split = []cnf.Lit{0}
	}
	limit, _ := q.cost()
	q.most = 0
	for _, l := range split {
		_, ahead := q.cost()
		limit += 2 * listed * (1 + ahead)
		q.most += listed
		if err := q.through(ctx, l, limit, every); err != nil || q.left == 0 {
			return err
		}
		if q.most == 0 {
			return errLimit
		}
	}
	return nil
}

// missed looks for the missing supports one by one. On a board that symmetries keep, one solution or refutation settles
// its images, too: of dominating queens of n = 12 in 2.1 s of CPU time in place of 11.4, of no three in line of n = 12 in .97
// in place of 2.9.
func (q *question) missed(ctx context.Context) error {
	if consistent, err := q.turn(); err != nil || !consistent {
		return err
	}
	for word := range q.missing.words {
		for q.missing.words[word] != 0 { // each walk settles at least its own literal
			l := q.missing.lit(word, bits.TrailingZeros64(q.missing.words[word]))
			if err := q.through(ctx, l, 0, one); err != nil {
				return err
			}
			if err := ctx.Err(); err != nil {
				return err
			}
		}
	}
	return nil
}

// through walks over solutions through a literal, or over all if it is 0, and records their literals. It
// refutes a literal that is in no solution.
func (q *question) through(ctx context.Context, l cnf.Lit, limit uint64, want wanted) error {
	q.walks++
	q.want = want
	err := q.walk(ctx, l, limit, want, q.each)
	if err == nil && l != 0 && q.settle(l) && !q.impossible(l) {
		q.left = 0 // there is no solution
	}
	return err
}

// impossible refutes a literal, and its images.
func (q *question) impossible(l cnf.Lit) (consistent bool) {
	consistent = q.refute(l)
	if q.classes != nil {
		q.classes.Images(l, func(image cnf.Lit) {
			if q.settle(image) {
				consistent = consistent && q.refute(image)
			}
		})
	}
	return consistent
}

// turn finds the symmetries that keep a board under the question's assumptions, and settles the missing literals with a
// settled image. It returns false if there is no solution.
func (q *question) turn() (consistent bool, err error) {
	g, is := q.walker.(*general)
	if !is || !g.problem.IsBoard() || g.problem.Auxiliary > 0 {
		return true, nil
	}
	if q.classes, err = encode.NewClasses(g.problem, q.assume...); err != nil {
		return false, err
	}
	consistent = true
	for word := range q.missing.words {
		for rest := q.missing.words[word]; rest != 0; rest &= rest - 1 {
			l := q.missing.lit(word, bits.TrailingZeros64(rest))
			q.classes.Images(l, func(image cnf.Lit) {
				switch {
				case q.missing.has(image) || !q.missing.has(l):
				case q.shown.has(image):
					q.see(l)
				case q.settle(l):
					consistent = consistent && q.impossible(l)
				}
			})
		}
	}
	return consistent, nil
}

// support records a solution, and reports whether the walk should continue.
func (q *question) support(s *partial) bool {
	q.show(s)
	q.most--
	return q.want == every && q.left > 0 && q.most != 0
}
