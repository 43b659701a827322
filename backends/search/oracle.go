package search

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/big"
	"slices"

	"queens/backends"
	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
)

var _ backends.Counter = (*Oracle)(nil)

// Oracle answers questions about one problem by search. It serves one goroutine
// at a time.
type Oracle struct {
	problem encode.Problem
	cover   *encode.Cover // nil where the problem has none
	walker  walker
	unit    string // what the walker's cost counts

	components *components // of a formula; made when it is first counted
}

// walker walks over the solutions under one set of assumptions at a time.
type walker interface {
	// start sets the assumptions and returns false if they are obviously
	// inconsistent.
	start(assume []cnf.Lit) bool
	// walk calls found with solutions under the assumptions and one more literal, unless that is 0,
	// each at most once, until found returns false, or, if they are only counted, to the end. If one
	// is wanted, it may look for it in any order. It calls pause when the cost has reached a limit, unless that is
	// 0, and every few thousand units, and returns pause's error if there is one.
	walk(through cnf.Lit, limit uint64, pause func() error, want wanted, found func(partial) bool) error
	// cost returns the units of all walks so far.
	cost() uint64
	// depth returns the cost of a solution that is found without taking anything back.
	depth() uint64

	// split returns open literals of which each solution has one, none if there are none; and all
	// literals that are open, on boards the positive ones. It may make some true first that every
	// solution has. The next call overwrites the result.
	split() (split, open []cnf.Lit)
	// aim says whether walks try a literal first where they have a choice.
	aim(l cnf.Lit, first bool)
	aimed(l cnf.Lit) bool
	// refute adds to the assumptions that a literal is false, since no solution has it. It returns false
	// if that shows that there is no solution; no walk may follow then.
	refute(l cnf.Lit) (consistent bool)
}

// wanted says which solutions a walk is to call found with.
type wanted uint8

const (
	one wanted = iota
	every
	upToImages // in any sequence and, where that is faster, one of each set of images under symmetries
)

// partial stands for a set of solutions: the held variables are true, the free ones
// take any values, and all others are false. It is valid only during the call.
type partial struct {
	held, free []cnf.Var
	images     []board.Symmetry // under which these are solutions, too; nil for the identity only
}

// errAnew ends a walk that is restarted in another way, errLimit one that has reached
// its limit.
var (
	errAnew  = errors.New("search: the walk is restarted")
	errLimit = errors.New("search: the walk's limit is reached")
)

// OnMasks reports whether New uses bit masks for a problem: a board of queens
// small enough that exact search hardly ever needs help.
func OnMasks(p encode.Problem) bool { return p.N <= narrowMax && p.IsQueens() }

// New returns an Oracle for the problem. It keeps nothing between calls but scratch
// memory. Queens on boards of up to 32 are searched on bit masks, every other problem
// by its constraints, larger boards with at most 64 open rows excepted if all solutions are
// to be visited.
func New(p encode.Problem) *Oracle {
	if OnMasks(p) {
		return newOracle(p, newNarrow(p), "queens")
	}
	if p.IsQueens() {
		return newOracle(p, newWide(p), "literals")
	}
	return newOracle(p, newGeneral(p), "literals")
}

// Stats implements [backends.Backend]: the constraints, on boards up to 110 bytes for each variable, and
// the counts of components.
func (o *Oracle) Stats() backends.Stats {
	bytes := 64 * int64(o.problem.NumVars())
	if o.components != nil {
		bytes += int64(o.components.bytes)
	}
	return backends.Stats{Bytes: bytes}
}

// Close implements [backends.Backend].
func (o *Oracle) Close() error { return nil }

// Parallel makes several goroutines count solutions at the same time, if that is done on bit masks,
// and call progress, which may be nil, with the number of parts of the walk that are done, their
// total, and the number of solutions found. The counts do not depend on it.
func (o *Oracle) Parallel(workers int, progress func(done, total int, completions uint64)) *Oracle {
	if t, onMasks := o.walker.(*narrow); onMasks {
		t.workers, t.progress = workers, progress
	}
	return o
}

func newOracle(p encode.Problem, w walker, unit string) *Oracle {
	cover, _ := encode.NewCover(p)
	return &Oracle{problem: p, cover: cover, walker: w, unit: unit}
}

// cells returns the cells of a board problem that are fixed or assumed to hold a
// queen, each once, and those fixed or assumed to be empty.
func cells(p encode.Problem, assume []cnf.Lit) (placed, blocked []board.Cell) {
	for _, lits := range [][]cnf.Lit{p.Fixed, assume} {
		for _, l := range lits {
			c := encode.VarCell(p.N, l.Var())
			if !l.Positive() {
				blocked = append(blocked, c)
			} else if !slices.Contains(placed, c) {
				placed = append(placed, c)
			}
		}
	}
	return placed, blocked
}

// Visited returns the cost of all walks so far, independent of the machine: the
// number of queens placed on bit masks, or of literals set by the general walk.
func (o *Oracle) Visited() uint64 { return o.walker.cost() }

// each walks over the solutions under the assumptions.
func (o *Oracle) each(ctx context.Context, assume []cnf.Lit, found func(partial) bool) error {
	return o.walk(ctx, assume, every, found)
}

// first looks for one solution, and calls found if there is one.
func (o *Oracle) first(ctx context.Context, assume []cnf.Lit, found func(partial)) error {
	return o.walk(ctx, assume, one, func(s partial) bool { found(s); return false })
}

// walk walks over solutions to the end.
func (o *Oracle) walk(ctx context.Context, assume []cnf.Lit, want wanted, found func(partial) bool) error {
	if consistent, err := o.start(ctx, assume); err != nil || !consistent {
		return err
	}
	return o.walker.walk(0, 0, o.pause(ctx, new(uint64)), want, found)
}

// start sets the assumptions of the walks that follow, and returns false if they are obviously
// inconsistent.
func (o *Oracle) start(ctx context.Context, assume []cnf.Lit) (consistent bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	if err := o.problem.CheckAssumptions(assume); err != nil {
		return false, fmt.Errorf("search: %w", err)
	}
	return o.walker.start(assume), nil
}

// pause returns what walks call now and then: it ends them with the context, and when the cost
// reaches a limit that is not 0.
func (o *Oracle) pause(ctx context.Context, limit *uint64) func() error {
	return func() error {
		if *limit != 0 && o.Visited() >= *limit {
			return errLimit
		}
		return ctx.Err()
	}
}

// Solve implements [backends.Backend]. The core of an UNSAT answer is all
// assumptions: search learns no smaller reason.
func (o *Oracle) Solve(ctx context.Context, assume []cnf.Lit) (backends.Answer, error) {
	var answer backends.Answer
	err := o.first(ctx, assume, func(s partial) {
		answer = backends.Answer{Status: backends.Sat, Model: o.model(s)}
	})
	if err == nil && answer.Status != backends.Sat {
		answer = backends.Answer{Status: backends.Unsat, Core: slices.Clone(assume)}
	}
	return answer, err
}

// model returns the solution in which the free variables are false.
func (o *Oracle) model(s partial) []cnf.Lit {
	model := make([]cnf.Lit, o.problem.NumVars())
	for i := range model {
		model[i] = cnf.Var(i + 1).Neg()
	}
	for _, v := range s.held {
		model[v-1] = v.Pos()
	}
	return model
}

// Count implements [backends.Counter]: a formula's component by component, other problems' by visiting
// the solutions. Those that differ only in free variables, or, on bit masks, by a symmetry of the board,
// are visited together.
func (o *Oracle) Count(ctx context.Context, assume []cnf.Lit) (*big.Int, error) {
	if o.problem.Place == nil {
		return o.byComponents(ctx, assume, 0)
	}
	var count tally
	err := o.walk(ctx, assume, upToImages, func(s partial) bool {
		for range max(1, len(s.images)) {
			count.add(len(s.free))
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	return count.sum(), nil
}

// CountWithin counts the solutions at a cost of at most about limit, in variables and constraints looked
// at for a formula, and else in the units of [Oracle.Visited]; beyond that, the count is nil.
func (o *Oracle) CountWithin(ctx context.Context, assume []cnf.Lit, limit uint64) (*big.Int, error) {
	if o.problem.Place == nil {
		return o.byComponents(ctx, assume, limit)
	}
	consistent, err := o.start(ctx, assume)
	if err != nil || !consistent {
		return new(big.Int), err
	}
	var count tally
	limit += o.Visited()
	err = o.walker.walk(0, limit, o.pause(ctx, &limit), every, func(s partial) bool {
		count.add(len(s.free))
		return true
	})
	if err == errLimit {
		return nil, nil
	}
	return count.sum(), err
}

// byComponents counts the solutions of a formula; a limit of 0 is none.
func (o *Oracle) byComponents(ctx context.Context, assume []cnf.Lit, limit uint64) (*big.Int, error) {
	if o.components == nil {
		c, err := newComponents(o.problem)
		if err != nil {
			return nil, err
		}
		o.components = c
	}
	return o.components.count(ctx, assume, limit)
}

// CountEach implements [backends.Counter] as Count does.
func (o *Oracle) CountEach(ctx context.Context, assume []cnf.Lit) (*big.Int, []*big.Int, error) {
	counts := make([]tally, o.problem.NumVars())
	var total tally
	err := o.walk(ctx, assume, upToImages, func(s partial) bool {
		total.add(len(s.free))
		for _, v := range s.held {
			counts[v-1].add(len(s.free))
		}
		for _, v := range s.free {
			counts[v-1].add(len(s.free) - 1)
		}
		for _, image := range s.images[min(1, len(s.images)):] {
			total.add(0)
			for _, v := range s.held {
				counts[encode.Turned(o.problem.N, image, v.Pos()).Var()-1].add(0)
			}
		}
		return true
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
		err := o.each(ctx, assume, func(s partial) bool {
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
