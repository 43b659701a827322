package search

import (
	"math/bits"
	"slices"

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

	first [narrowMax]uint64 // cells of each row that are tried first

	visited uint64
	next    uint64 // visited when pause is called again
	pause   func() error
	found   func(partial) bool
	leaf    func() bool // called with each completion in cols
	vars    []cnf.Var   // memory of held
	lits    []cnf.Lit   // memory of split
	want    wanted
	err     error

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
	t := &narrow{n: p.N, workers: 1, all: 1<<p.N - 1, problem: p}
	t.leaf = func() bool { return t.found(partial{held: t.held(&t.cols)}) }
	return t
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
	t.assume = slices.Clip(assume)
	t.first = [narrowMax]uint64{}
	t.root = lines{open: t.all}
	for row := range t.n {
		t.allowed[row] = t.all
	}
	for _, positive := range [2]bool{false, true} {
		for _, lits := range [2][]cnf.Lit{t.problem.Fixed, assume} {
			for _, l := range lits {
				if l.Positive() != positive {
					continue
				}
				row, bit := t.cell(l)
				switch placed := t.root.open>>row&1 == 0; {
				case !positive:
					t.allowed[row] &^= bit
				case placed && int(t.cols[row]) == bits.TrailingZeros64(bit): // twice
				case placed || t.free(&t.root, row)&bit == 0:
					return false
				default:
					t.place(&t.root, row, bit)
				}
			}
		}
	}
	return true
}

func (t *narrow) walk(
	through cnf.Lit, limit uint64, pause func() error, want wanted, found func(partial) bool,
) error {
	t.pause, t.want, t.found, t.err = pause, want, found, nil
	if t.next = t.visited + hardAfter; limit != 0 {
		t.next = min(t.next, limit)
	}
	if parts := t.parts(); parts != nil {
		return t.together(parts)
	}
	root := t.root
	if through != 0 {
		row, bit := t.cell(through)
		t.place(&root, row, bit)
	}
	if t.below(root); t.err == errAnew {
		return t.handOver(through, pause, found)
	}
	return t.err
}

// handOver lets packed make a walk.
func (t *narrow) handOver(through cnf.Lit, pause func() error, found func(partial) bool) error {
	if t.hard == nil {
		t.hard = newPacked(t.problem)
	}
	assume := t.assume
	if through != 0 {
		assume = append(assume, through)
	}
	if !t.hard.start(assume) {
		return nil
	}
	return t.hard.walk(pause, found)
}

// cell returns the row of a literal's cell, and the bit of its column.
func (t *narrow) cell(l cnf.Lit) (row int, bit uint64) {
	i := int(l.Var()) - 1
	return i / t.n, 1 << (i % t.n)
}

func (t *narrow) split() (split, open []cnf.Lit) {
	shortest, choice := t.force(&t.root)
	if choice == 0 {
		return nil, nil
	}
	t.lits = t.lits[:0]
	for rows := t.root.open; rows != 0; rows &= rows - 1 {
		row, first := bits.TrailingZeros64(rows), len(t.lits)
		for free := t.free(&t.root, row); free != 0; free &= free - 1 {
			t.lits = append(t.lits, cnf.Lit(row*t.n+bits.TrailingZeros64(free)+1))
		}
		if row == shortest {
			split = t.lits[first:]
		}
	}
	return split, t.lits
}

func (t *narrow) aim(l cnf.Lit, first bool) {
	row, bit := t.cell(l)
	if t.first[row] &^= bit; first {
		t.first[row] |= bit
	}
}

func (t *narrow) aimed(l cnf.Lit) bool {
	row, bit := t.cell(l)
	return t.first[row]&bit != 0
}

func (t *narrow) depth() uint64 { return uint64(bits.OnesCount64(t.root.open)) }

func (t *narrow) refute(l cnf.Lit) bool {
	row, bit := t.cell(l)
	t.allowed[row] &^= bit
	t.assume = append(t.assume, l.Not())
	return true
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
	if t.visited >= t.next {
		t.next = t.visited + hardAfter
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
	for choice != 0 {
		queen := choice & t.first[row&31]
		if queen == 0 {
			queen = choice
		}
		queen &= -queen
		choice &^= queen
		child := s
		t.place(&child, row, queen)
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
