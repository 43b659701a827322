package localsearch

import (
	"context"
	"fmt"
	"slices"
	"time"

	"queens/board"
)

// Board is a board to fill: queens on the placed cells stay, blocked cells stay
// empty.
type Board struct {
	N               int
	Placed, Blocked []board.Cell
}

// Method names a way to repair a board.
type Method string

const (
	// MinConflicts moves a random attacked queen to a random least attacked row
	// of its column (Minton, Johnston, Philips and Laird 1992).
	MinConflicts Method = "min-conflicts"
	// Swap exchanges the rows of a random attacked queen and a partner. It takes the
	// partner with which the two are then least attacked (after Sosic and Gu 1991).
	// Every row keeps one queen.
	Swap Method = "swap"
	// MostConflicts considers a most attacked queen and the queens it attacks, and
	// makes the move that lowers the number of attacks most. It is stuck if no move does.
	MostConflicts Method = "most-conflicts"
)

// Methods lists the methods, the default first.
func Methods() []Method { return []Method{Swap, MinConflicts, MostConflicts} }

// Init names a way to set up a board.
type Init string

const (
	// Greedy gives each column a random row that no queen attacks, if there is one,
	// and the remaining rows to the remaining columns (Sosic and Gu 1991).
	Greedy Init = "greedy"
	// Permutation puts every queen on its own row, at random.
	Permutation Init = "permutation"
	// Random puts every queen on a random row.
	Random Init = "random"
	// EvenOdd fills consecutive even rows, then the odd ones, counted from 1. It
	// is a solution unless n mod 6 is 2 or 3, and the same board every time.
	EvenOdd Init = "even-odd"
)

// Inits lists the set-ups, the default first.
func Inits() []Init { return []Init{Greedy, Permutation, Random, EvenOdd} }

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

// Event is what [Options].Watch receives: a new board when Step is 0, otherwise a
// step of the try.
type Event struct {
	Try  int   // from 0
	Step int64 // of this try, from 1; 0 for the board as set up
	// Moves of the step: none at set-up, two for a swap, one otherwise. A queen whose
	// best row is its own moves from that row to the same row.
	Moves []Move
	// Rows is the row of each column's queen after the step. Moves and Rows are valid
	// only during the call.
	Rows []int32
}

// Move is one queen's move within its column.
type Move struct{ Col, From, To int }

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
	Stuck    int   // tries that ended in a local minimum (MostConflicts only)
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

// status is the outcome of a repair step.
type status uint8

const (
	moved  status = iota
	solved        // nothing was attacked: no step was made
	stuck         // a local minimum: no step was made
)

// repairer is a method that works on a search's board.
type repairer interface {
	// start takes over the board that was just set up; left holds the columns that
	// setUp returned.
	start(left []int32)
	step() status
}

// search is the state that set-ups and methods share.
type search struct {
	random
	n       int
	rows    []int32 // the row of each column's queen
	placed  []board.Cell
	fixed   bitset  // columns with a placed queen; nil if there are none
	cols    []int32 // free columns, those without a placed queen; nil if all are free
	taken   bitset  // rows with a placed queen; nil if there are none
	blocked cellSet
	dead    bool // no completion: placed queens attack each other, or a column is all blocked
	init    Init
	method  Method
	watch   func(Event)
	moves   []Move
	repair  repairer
	books   *occupancy // occupied diagonals, kept by the greedy set-up and by swap
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

// place puts the placed queens on the board for good.
func (s *search) place(queens []board.Cell) {
	if len(queens) == 0 {
		return
	}
	s.placed, s.fixed, s.taken = queens, newBitset(s.n), newBitset(s.n)
	lines := map[board.Line]bool{}
	for _, q := range queens {
		for _, line := range q.Lines(s.n) {
			s.dead = s.dead || lines[line]
			lines[line] = true
		}
		s.fixed.add(q.Col)
		s.taken.add(q.Row)
		s.rows[q.Col] = int32(q.Row)
	}
	s.cols = make([]int32, 0, s.n-len(queens))
	for col := range s.n {
		if !s.fixed.has(col) {
			s.cols = append(s.cols, int32(col))
		}
	}
}

// block records the blocked cells. It sets dead if one has a placed queen or all cells
// of a column are blocked.
func (s *search) block(cells []board.Cell) {
	if len(cells) == 0 {
		return
	}
	s.blocked = cellSet{}
	count := map[int]int{}
	for _, b := range cells {
		s.blocked[b] = true
		count[b.Col]++
		s.dead = s.dead || count[b.Col] == s.n || slices.Contains(s.placed, b)
	}
}

// free returns the number of free columns.
func (s *search) free() int { return s.n - len(s.placed) }

// col returns the i-th free column.
func (s *search) col(i int) int {
	if s.cols == nil {
		return i
	}
	return int(s.cols[i])
}

// move moves a queen, and records the move for a watcher.
func (s *search) move(col int, to int32) {
	if s.watch != nil {
		s.moves = append(s.moves, Move{Col: col, From: int(s.rows[col]), To: int(to)})
	}
	s.rows[col] = to
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

// mended reports whether the board is a solution, after the last step of a try.
func (s *search) mended() bool {
	return board.Verify(s.rows) == nil &&
		!slices.ContainsFunc(board.Queens(s.rows), func(c board.Cell) bool { return s.blocked.has(c.Row, int32(c.Col)) })
}

func (s *search) tell(try int, step int64) {
	if s.watch != nil {
		s.watch(Event{Try: try, Step: step, Moves: s.moves, Rows: s.rows})
		s.moves = s.moves[:0]
	}
}
