package localsearch

import (
	"context"
	"slices"

	"queens/board"
)

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

// status is the outcome of a repair step.
type status uint8

const (
	moved  status = iota
	solved        // nothing was attacked: no step was made
	stuck         // a local minimum, or no partner to swap with: no step was made
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
	dead    bool // no completion: placed queens attack each other or stand on blocked cells, or a column is all blocked
	init    Init
	method  Method
	watch   func(Event)
	moves   []Move
	repair  repairer
	books   *occupancy // occupied diagonals, kept by the greedy set-up and by swap
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

// often is how many columns a set-up fills between checks of the context.
const often = 1 << 16

// shuffle permutes the rows of the free columns (Fisher and Yates).
func (s *search) shuffle(ctx context.Context) error {
	for i := s.free() - 1; i > 0; i-- {
		if i%often == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		a, b := s.col(i), s.col(s.below(i+1))
		s.rows[a], s.rows[b] = s.rows[b], s.rows[a]
	}
	return nil
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
