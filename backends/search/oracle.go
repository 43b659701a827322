package search

import (
	"context"
	"iter"
	"math/big"
	"slices"

	"queens/backends"
	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
)

var (
	_ backends.VarCounter  = (*Oracle)(nil)
	_ backends.Enumerator  = (*Oracle)(nil)
	_ backends.ValidFinder = (*Oracle)(nil)
)

// Oracle answers about one problem by search. It serves one goroutine at a time.
type Oracle struct {
	problem encode.Problem
	cover   *encode.Cover
	walker  walker
}

// walker walks over the completions of one placement at a time.
type walker interface {
	// start sets the placement and reports whether it is consistent on its face.
	start(placed, blocked []board.Cell) bool
	// walk calls found with the columns of each completion's queens, valid during
	// the call, until found returns false. When not all are wanted it may look
	// for one in any order.
	walk(ctx context.Context, all bool, found func(queens []int) bool) error
	// cost returns the number of queens placed so far, by all walks.
	cost() uint64
}

// New makes an Oracle. It keeps nothing between calls but memory.
func New(p encode.Problem) *Oracle {
	if p.N <= narrowMax {
		return newOracle(p, newNarrow(p.N))
	}
	return newOracle(p, newWide(p.N))
}

func newOracle(p encode.Problem, w walker) *Oracle {
	cover, _ := encode.NewCover(p)
	return &Oracle{problem: p, cover: cover, walker: w}
}

// Visited returns the number of queens that all walks so far have placed: the
// machine-independent cost.
func (o *Oracle) Visited() uint64 { return o.walker.cost() }

// begin sets up the walk for the assumptions, and reports whether they are
// consistent with the problem on their face.
func (o *Oracle) begin(assume []cnf.Lit) (bool, error) {
	placed, blocked := o.problem.Placed(), o.problem.Blocked()
	if err := o.problem.CheckAssumptions(assume); err != nil {
		return false, err
	}
	for _, l := range assume {
		c := encode.VarCell(o.problem.N, l.Var())
		if !l.Positive() {
			blocked = append(blocked, c)
		} else if !slices.Contains(placed, c) {
			placed = append(placed, c)
		}
	}
	return o.walker.start(placed, blocked), nil
}

// each walks the solutions under the assumptions.
func (o *Oracle) each(ctx context.Context, assume []cnf.Lit, found func(cols []int) bool) error {
	return o.walk(ctx, assume, true, found)
}

// first looks for one solution, and calls found if there is one.
func (o *Oracle) first(ctx context.Context, assume []cnf.Lit, found func(cols []int)) error {
	return o.walk(ctx, assume, false, func(cols []int) bool { found(cols); return false })
}

func (o *Oracle) walk(ctx context.Context, assume []cnf.Lit, all bool, found func(cols []int) bool) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	consistent, err := o.begin(assume)
	if err != nil || !consistent {
		return err
	}
	return o.walker.walk(ctx, all, found)
}

// Solve implements [backends.Oracle]. The core of an UNSAT answer is all
// assumptions: search learns no smaller reason.
func (o *Oracle) Solve(ctx context.Context, assume []cnf.Lit) (backends.Answer, error) {
	var answer backends.Answer
	err := o.first(ctx, assume, func(cols []int) {
		answer = backends.Answer{Status: backends.Sat, Model: o.model(cols)}
	})
	if err == nil && answer.Status != backends.Sat {
		answer = backends.Answer{Status: backends.Unsat, Core: slices.Clone(assume)}
	}
	return answer, err
}

func (o *Oracle) model(cols []int) []cnf.Lit {
	n := o.problem.N
	model := make([]cnf.Lit, n*n)
	for i := range model {
		model[i] = cnf.Var(i + 1).Neg()
	}
	for row, col := range cols {
		v := encode.CellVar(n, board.Cell{Row: row, Col: col})
		model[v-1] = v.Pos()
	}
	return model
}

// Count implements [backends.Counter] by visiting every solution.
func (o *Oracle) Count(ctx context.Context, assume []cnf.Lit) (*big.Int, error) {
	var count uint64
	if err := o.each(ctx, assume, func([]int) bool { count++; return true }); err != nil {
		return nil, err
	}
	return new(big.Int).SetUint64(count), nil
}

// CountEach implements [backends.VarCounter] by visiting every solution.
func (o *Oracle) CountEach(ctx context.Context, assume []cnf.Lit) (*big.Int, []*big.Int, error) {
	n := o.problem.N
	counts := make([]uint64, n*n)
	var total uint64
	err := o.each(ctx, assume, func(cols []int) bool {
		total++
		for row, col := range cols {
			counts[row*n+col]++
		}
		return true
	})
	if err != nil {
		return nil, nil, err
	}
	each := make([]*big.Int, n*n)
	for i, count := range counts {
		each[i] = new(big.Int).SetUint64(count)
	}
	return new(big.Int).SetUint64(total), each, nil
}

// Solutions implements [backends.Enumerator]. The iteration must end before the
// Oracle is asked anything else.
func (o *Oracle) Solutions(ctx context.Context, assume []cnf.Lit) iter.Seq2[[]cnf.Lit, error] {
	return func(yield func([]cnf.Lit, error) bool) {
		stopped := false
		err := o.each(ctx, assume, func(cols []int) bool {
			stopped = !yield(o.model(cols), nil)
			return !stopped
		})
		if err != nil && !stopped {
			yield(nil, err)
		}
	}
}
