package search

import (
	"context"
	"fmt"
	"iter"
	"math/big"
	"slices"

	"queens/backends"
	"queens/backends/recall"
	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
)

var (
	_ backends.Counter = (*Oracle)(nil)
	_ backends.Bounded = (*Oracle)(nil)
)

// Oracle answers questions about one problem by search. It serves one goroutine at a time.
type Oracle struct {
	problem encode.Problem
	cover   *encode.Cover // nil if the problem has none
	walker  walker
	unit    string // what the walker's cost counts

	valid    *question      // made by the first call of Valid
	memory   *recall.Memory // of the method remember; nil until needed
	book     *recall.Book   // of the method openings
	together *together      // counts on bit masks; nil for other walks
}

// OnMasks reports whether New uses bit masks for a problem: a board of queens
// small enough that exact search hardly ever needs help.
func OnMasks(p encode.Problem) bool { return p.N <= board.MaxMasks && p.IsQueens() }

// New returns an Oracle for the problem. It searches boards of queens of up to 32 on bit masks, larger ones with at most 64 open
// rows with [Rows] where that is faster, and everything else by the constraints. Only the methods that remember keep more than
// scratch memory between calls.
func New(p encode.Problem) *Oracle {
	if OnMasks(p) {
		return newOracle(p, newNarrow(p), "queens")
	}
	if p.IsQueens() {
		return newOracle(p, newWide(p), "literals")
	}
	return newOracle(p, newGeneral(p), "literals")
}

// Stats implements [backends.Backend]. It estimates the memory of the constraints (on boards up to 110
// bytes for each variable) at 64 bytes for each variable.
func (o *Oracle) Stats() backends.Stats {
	bytes := 64*int64(o.problem.NumVars()) + o.book.Bytes()
	if o.memory != nil {
		bytes += o.memory.Bytes()
	}
	return backends.Stats{Bytes: bytes}
}

// Close implements [backends.Backend].
func (o *Oracle) Close() error { return nil }

// Parallel makes several goroutines count solutions on bit masks at the same time; it does not affect other
// walks. They call progress, which may be nil, with the number of finished parts of the walk, the number of
// all parts, and the number of solutions found. The counts do not depend on the number of workers.
func (o *Oracle) Parallel(workers int, progress func(done, total int, completions uint64)) *Oracle {
	if o.together != nil {
		o.together.workers, o.together.progress = workers, progress
	}
	return o
}

func newOracle(p encode.Problem, w walker, unit string) *Oracle {
	cover, _ := encode.NewCover(p)
	o := &Oracle{problem: p, cover: cover, walker: w, unit: unit}
	o.book = recall.NewBook(p, o, Supports)
	if t, onMasks := w.(*narrow); onMasks {
		o.together = &together{narrow: t, problem: p, workers: 1}
	}
	return o
}

// Visited returns the cost of all walks so far, independent of the machine: the
// number of queens placed on bit masks, or of literals set by the general walk. On
// larger boards of queens it adds to these the queens placed by [Rows].
func (o *Oracle) Visited() uint64 {
	spent, _ := o.walker.cost()
	return spent
}

// check returns an error if the context has ended or an assumption is not a literal of the problem.
func (o *Oracle) check(ctx context.Context, assume []cnf.Lit) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := o.problem.CheckAssumptions(assume); err != nil {
		return fmt.Errorf("search: %w", err)
	}
	return nil
}

// walk walks over solutions under assumptions, at a cost of at most about limit; 0 means no limit.
func (o *Oracle) walk(
	ctx context.Context, assume []cnf.Lit, limit uint64, want wanted, found func(*partial) bool,
) error {
	if err := o.check(ctx, assume); err != nil || !o.walker.start(assume) {
		return err
	}
	if limit > 0 {
		limit += o.Visited()
	}
	return o.walker.walk(ctx, 0, limit, want, found)
}

// count visits all solutions. On bit masks it visits them in any sequence, and only one of each set of
// images under symmetries.
func (o *Oracle) count(ctx context.Context, assume []cnf.Lit, found func(*partial)) error {
	each := func(s *partial) bool { found(s); return true }
	if o.together == nil {
		return o.walk(ctx, assume, 0, every, each)
	}
	if err := o.check(ctx, assume); err != nil || !o.walker.start(assume) {
		return err
	}
	return o.together.visit(ctx, assume, each)
}

// Solve implements [backends.Backend]. The core of an UNSAT answer is all
// assumptions: search learns no smaller reason.
func (o *Oracle) Solve(ctx context.Context, assume []cnf.Lit) (backends.Answer, error) {
	answer, _, err := o.SolveWithin(ctx, assume, 0)
	return answer, err
}

// SolveWithin implements [backends.Bounded]; 0 means no limit. Its steps are those of [Oracle.Visited].
func (o *Oracle) SolveWithin(ctx context.Context, assume []cnf.Lit, steps uint64) (backends.Answer, uint64, error) {
	var answer backends.Answer
	before := o.Visited()
	err := o.walk(ctx, assume, steps, one, func(s *partial) bool {
		answer = backends.Answer{Status: backends.Sat, Model: o.model(s)}
		return false
	})
	if err == errLimit {
		return backends.Answer{}, o.Visited() - before, nil
	}
	if err == nil && answer.Status != backends.Sat {
		answer = backends.Answer{Status: backends.Unsat, Core: slices.Clone(assume)}
	}
	return answer, o.Visited() - before, err
}

// model returns the solution in which the free variables are false.
func (o *Oracle) model(s *partial) []cnf.Lit {
	return cnf.Model(o.problem.NumVars(), s.appendHeld(nil)...)
}

// Count implements [backends.Counter] by visiting the solutions. Those that differ only in free variables, or, on bit masks,
// by a symmetry of the board, are visited together.
func (o *Oracle) Count(ctx context.Context, assume []cnf.Lit) (*big.Int, error) {
	var count tally
	err := o.count(ctx, assume, func(s *partial) {
		for range max(1, len(s.images)) {
			count.add(len(s.free))
		}
	})
	if err != nil {
		return nil, err
	}
	return count.sum(), nil
}

// CountWithin counts the solutions at a cost of at most about limit, in the unit of [Oracle.Visited]; if that does not
// suffice, the count is nil.
func (o *Oracle) CountWithin(ctx context.Context, assume []cnf.Lit, limit uint64) (*big.Int, error) {
	var count tally
	cut, end := false, o.Visited()+limit
	err := o.walk(ctx, assume, limit, every, func(s *partial) bool { // which looks at the limit seldom
		count.add(len(s.free))
		cut = limit > 0 && o.Visited() > end
		return !cut
	})
	if err == errLimit || err == nil && cut {
		return nil, nil
	}
	return count.sum(), err
}

// CountEach implements [backends.Counter] as Count does.
func (o *Oracle) CountEach(ctx context.Context, assume []cnf.Lit) (*big.Int, []*big.Int, error) {
	counts := make([]tally, o.problem.NumVars())
	var total tally
	var held []cnf.Var
	err := o.count(ctx, assume, func(s *partial) {
		held = s.appendHeld(held[:0])
		total.add(len(s.free))
		for _, v := range held {
			counts[v-1].add(len(s.free))
		}
		for _, v := range s.free {
			counts[v-1].add(len(s.free) - 1)
		}
		for _, image := range s.images[min(1, len(s.images)):] {
			total.add(0)
			for _, v := range held {
				counts[encode.Turned(o.problem.N, image, v.Pos()).Var()-1].add(0)
			}
		}
	})
	if err != nil {
		return nil, nil, err
	}
	each := make([]*big.Int, len(counts))
	for i := range counts {
		each[i] = counts[i].sum()
	}
	return total.sum(), each, nil
}

// tally adds up powers of two.
type tally struct {
	ones uint64
	rest *big.Int // nil for 0
}

func (t *tally) add(exponent int) {
	if exponent == 0 {
		t.ones++
		return
	}
	if t.rest == nil {
		t.rest = new(big.Int)
	}
	t.rest.Add(t.rest, new(big.Int).Lsh(big.NewInt(1), uint(exponent)))
}

func (t *tally) sum() *big.Int {
	sum := new(big.Int).SetUint64(t.ones)
	if t.rest != nil {
		sum.Add(sum, t.rest)
	}
	return sum
}

// Solutions implements [backends.Backend]. The iteration must end before the
// Oracle is asked anything else.
func (o *Oracle) Solutions(ctx context.Context, assume []cnf.Lit) iter.Seq2[[]cnf.Lit, error] {
	return func(yield func([]cnf.Lit, error) bool) {
		stopped := false
		err := o.walk(ctx, assume, 0, every, func(s *partial) bool {
			stopped = !yieldAll(o.model(s), s.free, yield)
			return !stopped
		})
		if err != nil && !stopped {
			yield(nil, err)
		}
	}
}

// yieldAll yields copies of the model with the free variables set in every way, and
// reports whether to continue.
func yieldAll(model []cnf.Lit, free []cnf.Var, yield func([]cnf.Lit, error) bool) bool {
	if len(free) == 0 {
		return yield(model, nil)
	}
	v, rest := free[0], free[1:]
	with := slices.Clone(model)
	with[v-1] = v.Pos()
	return yieldAll(model, rest, yield) && yieldAll(with, rest, yield)
}

// The names of the methods.
const (
	Supports  = "supports"
	Reuse     = "reuse"
	PerCell   = "per-cell"
	Enumerate = "enumerate"
	Remember  = "remember"
	Openings  = "openings"
)

// ways lists the methods, the best first, each with the function that shows what is true in some solution.
var ways = []backends.Way[func(*question, context.Context) error]{
	{Method: backends.Method{
		Name: Supports, Title: "supports", LargestBoard: 60,
		Doc: "lists solutions until each open literal has a support, which is a solution that contains it; " +
			"past a budget it looks for the missing supports one by one",
	}, Answer: (*question).supports},
	{Method: backends.Method{
		Name: Reuse, Title: "reuse", LargestBoard: 40,
		Doc: "looks for one solution through each variable that is true in no solution found so far, attacked or not",
	}, Answer: (*question).reuse},
	{Method: backends.Method{
		Name: PerCell, Title: "per-cell", LargestBoard: 24,
		Doc: "looks for one solution through each variable",
	}, Answer: (*question).perCell},
	{Method: backends.Method{
		Name: Enumerate, Title: "enumerate", LargestBoard: 9,
		Doc: "visits every solution: the simplest to trust",
	}, Answer: (*question).enumerate},
	{Method: backends.Method{
		Name: Openings, Title: "openings", LargestBoard: 20, Remembers: true,
		Doc: "is remember, and begins with the answers to the empty board and to one queen anywhere",
	}, Answer: (*question).supports},
	{Method: backends.Method{
		Name: Remember, Title: "remember", LargestBoard: 60, Remembers: true,
		Doc: "is supports, but keeps solutions and what is impossible for later questions",
	}, Answer: (*question).supports},
}

// Methods lists the methods, the best first.
func Methods() []backends.Method { return backends.Methods(ways) }

// Valid implements [backends.Backend]. Its work is the number of walks and
// their cost, in the units of [Oracle.Visited].
func (o *Oracle) Valid(ctx context.Context, assume []cnf.Lit, method string) (backends.Valid, error) {
	way, err := backends.Choose(ways, "search", method)
	if err == nil {
		err = o.check(ctx, assume)
	}
	if err != nil {
		return backends.Valid{}, err
	}
	if o.valid == nil {
		o.valid = newQuestion(o.problem, o.walker, o.cover != nil)
	}
	q, before := o.valid, o.Visited()
	if q.memory = nil; way.Remembers {
		if answer, known, err := o.recalled(ctx, assume, way.Name); known || err != nil {
			answer.Method, answer.Work = way.Name, backends.Work{{Name: "walks"}, {Name: o.unit}}
			return answer, err
		}
		q.memory = o.memory
	}
	q.begin(assume)
	if err := way.Answer(q, ctx); err != nil {
		return backends.Valid{}, err
	}
	answer := backends.Valid{
		Satisfiable: q.satisfiable, Method: way.Name,
		Work: backends.Work{{Name: "walks", N: q.walks}, {Name: o.unit, N: int64(o.Visited() - before)}},
	}
	answer.Possible, answer.Forced = q.variables(o.cover)
	if way.Remembers {
		o.memory.Answered(answer)
	}
	return answer, nil
}
