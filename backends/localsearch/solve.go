package localsearch

import (
	"context"
	"fmt"
	"time"

	"queens/board"
)

// Board is a board to fill: queens on the placed cells stay, blocked cells stay
// empty.
type Board struct {
	N               int
	Placed, Blocked []board.Cell
}

// Options say how to search. The zero value is the fastest combination known.
type Options struct {
	Method Method // Swap when empty
	Init   Init   // Greedy when empty
	Seed   uint64
	// Limit is the number of steps after which a try is abandoned for a new one: FittedLimit
	// when 0.
	Limit int64
	// Tries bounds the number of boards set up, DefaultTries when 0.
	Tries int
	// Watch, unless nil, is called with each board and each step, for animation.
	Watch func(Event)
}

// DefaultTries is the number of boards tried before a search reports not found.
const DefaultTries = 100

// Result says how a search ended.
type Result struct {
	// Found is false when no solution was found, which by itself proves nothing.
	Found bool
	// None says that there is no solution, for a reason that needs no search: n is 2 or 3, placed queens attack each
	// other or stand on blocked cells, or all cells of a column are blocked.
	None bool
	// Rows is the row of each column's queen, when Found. A solution mirrored on the
	// main diagonal is a solution too, so board.Verify takes Rows as it is.
	Rows     []int32
	Steps    int64 // of all tries: queens moved, or pairs swapped
	Restarts int   // tries after the first
	Stuck    int   // tries that ended before their limit: MostConflicts in a local minimum, Swap with one free column
	// SetUp and Repair are the wall-clock times of the two phases, all tries; Total
	// also includes allocation.
	SetUp, Repair, Total time.Duration
}

// Columns returns the column of each row's queen; the result must be Found.
func (r Result) Columns() []int32 {
	cols := make([]int32, len(r.Rows))
	for col, row := range r.Rows {
		cols[row] = int32(col)
	}
	return cols
}

// MaxN is the largest board: the line numbers of a bigger one would overflow an
// int32.
const MaxN = 1 << 30

// LeastBytes returns the approximate memory that every method needs for a board of
// size n, in bytes.
func LeastBytes(n int) int64 { return 8 * int64(n) }

// Impossible reports whether n is known to have no solution: 2 and 3 have none
// (every other size has; Pauls 1874).
func Impossible(n int) bool { return n == 2 || n == 3 }

// Solve looks for a solution of p. It returns an error if the problem or the options
// are invalid, or if the context ends; not finding a solution is not an
// error. The same problem and options lead to the same steps and the same solution.
func Solve(ctx context.Context, p Board, o Options) (r Result, err error) {
	began := time.Now()
	s, err := newSearch(p, &o)
	if err != nil {
		return Result{}, fmt.Errorf("solving n = %d by local search: %w", p.N, err)
	}
	if Impossible(p.N) || s.dead {
		r.None = true
		return r, nil
	}
	defer func() { r.Total = time.Since(began) }()
	for try := range o.Tries {
		r.Restarts = try
		found, err := s.try(ctx, try, o.Limit, &r)
		if err != nil {
			return r, fmt.Errorf("solving n = %d by local search: %w", p.N, err)
		}
		if found {
			r.Found, r.Rows = true, s.rows
			return r, nil
		}
	}
	return r, nil
}

func newSearch(p Board, o *Options) (*search, error) {
	if p.N < 1 || p.N > MaxN {
		return nil, fmt.Errorf("size %d: expected 1 to %d", p.N, MaxN)
	}
	if o.Method == "" {
		o.Method = Swap
	}
	if o.Init == "" {
		o.Init = Greedy
	}
	if o.Limit == 0 {
		o.Limit = FittedLimit(p.N)
	}
	if o.Tries == 0 {
		o.Tries = DefaultTries
	}
	for _, cells := range [][]board.Cell{p.Placed, p.Blocked} {
		if err := board.CheckCells(p.N, cells); err != nil {
			return nil, err
		}
	}
	s := &search{n: p.N, init: o.Init, method: o.Method, watch: o.Watch}
	switch o.Method {
	case Swap:
		if o.Init == Random {
			return nil, fmt.Errorf("method %s exchanges rows: "+
				"it cannot repair set-up %s, with several queens on some rows", Swap, Random)
		}
		s.repair = newSwapping(s)
	case MinConflicts:
		s.repair = newMinConflicts(s)
	case MostConflicts:
		s.repair = newMostConflicts(s)
	default:
		return nil, fmt.Errorf("method %q: expected one of %v", o.Method, Methods())
	}
	s.pcg.Seed(o.Seed, streamSolve)
	if Impossible(p.N) {
		return s, nil
	}
	s.rows = make([]int32, p.N)
	s.place(p.Placed)
	s.block(p.Blocked)
	return s, nil
}

// try sets up a board and repairs it for at most limit steps.
func (s *search) try(ctx context.Context, try int, limit int64, r *Result) (bool, error) {
	began := time.Now()
	left, err := s.setUp(ctx)
	if err != nil {
		return false, err
	}
	s.tell(try, 0)
	ready := time.Now()
	r.SetUp += ready.Sub(began)
	defer func() { r.Repair += time.Since(ready) }()
	s.repair.start(left)
	often := int64(256) // steps between checks of the context
	if s.method == MostConflicts {
		often = 1 // its steps are long
	}
	for step := int64(0); ; {
		if step%often == 0 {
			if err := ctx.Err(); err != nil {
				return false, err
			}
		}
		switch s.repair.step() {
		case solved:
			return true, nil
		case stuck:
			r.Stuck++
			return false, nil
		}
		r.Steps++
		step++
		s.tell(try, step)
		if step >= limit {
			return s.mended(), nil
		}
	}
}
