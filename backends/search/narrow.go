package search

import (
	"math/bits"

	"queens/encode"
	"queens/encode/cnf"
)

// narrowMax is the largest board whose diagonals, 2n-1 of each kind, fit into a
// word.
const narrowMax = 32

// hardAfter is the number of queens placed after which a board counts as hard:
// under a millisecond, and a small part of the time that a hard board takes.
const hardAfter = 1 << 14

// narrow is the walk for boards of up to 32. The lines with a queen are three
// words, from which two shifts and an AND yield the free cells of a row, so
// nothing is stored per node and backtracking is just a return. Most boards take
// a few hundred queens, and this is the fastest way to place them; it is also the
// fastest way to visit every completion. If one completion is wanted and not
// found soon, packed starts again from scratch.
type narrow struct {
	n        int
	workers  int                                       // goroutines that count completions at the same time
	progress func(done, total int, completions uint64) // may be nil
	all      uint64                                    // a bit for each column
	allowed  [narrowMax]uint64                         // cells of each row that are not blocked
	root     lines
	cols     [narrowMax]int8 // of the queen of each row

	visited, checked uint64
	pause            func() error
	found            func(partial) bool
	leaf             func() bool // called with each completion in cols
	vars             []cnf.Var   // memory of held
	want             wanted
	err              error

	problem encode.Problem
	assume  []cnf.Lit
	hard    *packed // nil until a board is hard
}

// lines is the state of a walk at a node.
type lines struct {
	open uint64 // rows without a queen
	cols uint64 // columns with a queen
	up   uint64 // diagonals with a queen, bit n-1-row+col
	down uint64 // anti-diagonals with a queen, bit row+col
}

func newNarrow(p encode.Problem) *narrow {
	return &narrow{n: p.N, workers: 1, all: 1<<p.N - 1, problem: p}
}

// free returns the free cells of an open row.
func (t *narrow) free(s *lines, row int) uint64 {
	return t.allowed[row&31] &^ (s.cols | s.up>>((t.n-1-row)&63) | s.down>>(row&63))
}

// place puts a queen on an open row, in the column with the given bit.
func (t *narrow) place(s *lines, row int, bit uint64) {
	t.visited++
	t.cols[row&31] = int8(bits.TrailingZeros64(bit))
	s.open &^= 1 << (row & 63)
	s.cols |= bit
	s.up |= bit << ((t.n - 1 - row) & 63)
	s.down |= bit << (row & 63)
}

func (t *narrow) start(assume []cnf.Lit) bool {
	t.assume = assume
	placed, blocked := cells(t.problem, assume)
	t.root = lines{open: t.all}
	for row := range t.n {
		t.allowed[row] = t.all
	}
	for _, c := range blocked {
		t.allowed[c.Row] &^= 1 << c.Col
	}
	for _, c := range placed {
		bit := uint64(1) << c.Col
		if t.root.open>>c.Row&1 == 0 || t.free(&t.root, c.Row)&bit == 0 {
			return false
		}
		t.place(&t.root, c.Row, bit)
	}
	return true
}

func (t *narrow) walk(pause func() error, want wanted, found func(partial) bool) error {
	t.pause, t.want, t.found, t.err = pause, want, found, nil
	t.checked = t.visited
	if parts := t.parts(); parts != nil {
		return t.together(parts)
	}
	t.leaf = func() bool { return found(partial{held: t.held(&t.cols)}) }
	t.below(t.root)
	if t.err != errAnew {
		return t.err
	}
	if t.hard == nil {
		t.hard = newPacked(t.problem)
	}
	if !t.hard.start(t.assume) {
		return nil
	}
	return t.hard.walk(pause, want, found)
}

// held returns the variables of a queen in each row, in memory that the next call reuses.
func (t *narrow) held(cols *[narrowMax]int8) []cnf.Var {
	t.vars = t.vars[:0]
	for row, col := range cols[:t.n] {
		t.vars = append(t.vars, cnf.Var(row*t.n+int(col)+1))
	}
	return t.vars
}

func (t *narrow) cost() uint64 {
	if t.hard == nil {
		return t.visited
	}
	return t.visited + t.hard.visited
}

// below visits the completions of a node and reports whether to continue.
func (t *narrow) below(s lines) bool {
	if t.visited-t.checked >= hardAfter {
		t.checked = t.visited
		if t.err = t.pause(); t.err == nil && t.want == one {
			t.err = errAnew
		}
		if t.err != nil {
			return false
		}
	}
	row, choice := t.force(&s)
	if s.open == 0 {
		return t.leaf()
	}
	for ; choice != 0; choice &= choice - 1 {
		child := s
		t.place(&child, row, choice&-choice)
		if !t.below(child) {
			return false
		}
	}
	return true
}

// force places queens in lines with one free cell until there are none, and returns an
// open row with the fewest free cells, and these cells as choice. choice is 0 if the
// node has no completion or no open row.
func (t *narrow) force(s *lines) (row int, choice uint64) {
next:
	if s.open == 0 {
		return 0, 0
	}
	// Columns with a free cell in some open row, and in at least two of them.
	var once, twice uint64
	fewest := narrowMax + 1
	for open := s.open; open != 0; open &= open - 1 {
		r := bits.TrailingZeros64(open)
		free := t.free(s, r)
		twice |= once & free
		once |= free
		others := free & (free - 1)
		if others == 0 {
			if free == 0 {
				return 0, 0
			}
			t.place(s, r, free)
			goto next
		}
		if fewest > 2 { // there are at least two here
			if others&(others-1) == 0 {
				row, choice, fewest = r, free, 2
			} else if count := bits.OnesCount64(free); count < fewest {
				row, choice, fewest = r, free, count
			}
		}
	}
	if once|s.cols != t.all {
		return 0, 0
	}
	if single := once &^ twice; single != 0 {
		single &= -single
		for open := s.open; open != 0; open &= open - 1 {
			if r := bits.TrailingZeros64(open); t.free(s, r)&single != 0 {
				t.place(s, r, single)
				goto next
			}
		}
	}
	return row, choice
}
