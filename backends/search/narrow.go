package search

import (
	"context"
	"math/bits"

	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
)

// narrow is the walk for queens on boards of up to 32, on [board.Masks]. Most questions place a few hundred
// queens, and this walk places them fastest; it also visits all completions fastest.
type narrow struct {
	board.Masks
	problem encode.Problem
	root    board.Taken
	first   *[board.MaxMasks]uint64 // cells of each row that are tried first
	none    *[board.MaxMasks]uint64 // no cells: first if there is no preference
	lits    []cnf.Lit               // buffer of open

	ctx   context.Context // of the walk
	limit uint64
	next  uint64 // value of Placed at which the walk next checks ctx and limit
	found func(*partial) bool
	part  partial
	err   error
}

func newNarrow(p encode.Problem) *narrow {
	t := &narrow{Masks: board.NewMasks(p.N), problem: p, none: new([board.MaxMasks]uint64)}
	t.part.cols = t.Cols[:p.N]
	return t
}

func (t *narrow) start(assume []cnf.Lit) bool {
	t.Unblock()
	t.root, t.first = t.Empty(), t.none
	for _, lits := range [2][]cnf.Lit{t.problem.Fixed, assume} {
		for _, l := range lits {
			if !l.Positive() {
				row, bit := t.cell(l)
				t.Allowed[row] &^= bit
			}
		}
	}
	for _, lits := range [2][]cnf.Lit{t.problem.Fixed, assume} {
		for _, l := range lits {
			if !l.Positive() {
				continue
			}
			row, bit := t.cell(l)
			again := t.root.Open>>row&1 == 0 && bit == 1<<t.Cols[row]
			if !again && !t.Try(&t.root, row, bit) {
				return false
			}
		}
	}
	return true
}

// cell returns the row of a literal's cell, and the bit of its column.
func (t *narrow) cell(l cnf.Lit) (row int, bit uint64) {
	i, n := uint32(l.Var()-1), uint32(t.N)
	return int(i / n), 1 << (i % n)
}

func (t *narrow) walk(
	ctx context.Context, through cnf.Lit, limit uint64, _ wanted, found func(*partial) bool,
) error {
	t.ctx, t.limit, t.found, t.err = ctx, limit, found, nil
	if t.next = t.Placed + pauseAfter; limit != 0 {
		t.next = min(t.next, limit)
	}
	root := t.root
	if through != 0 {
		row, bit := t.cell(through)
		t.Place(&root, row, bit)
	}
	t.below(root)
	return t.err
}

// below visits the completions of a node and reports whether to continue.
func (t *narrow) below(at board.Taken) bool {
	if t.Placed >= t.next && !t.goOn() {
		return false
	}
	row, choice := t.Force(&at)
	if at.Open == 0 {
		return t.found(&t.part)
	}
	for choice != 0 {
		queen := choice & t.first[row&31]
		if queen == 0 {
			queen = choice
		}
		queen &= -queen
		choice &^= queen
		child := at
		t.Place(&child, row, queen)
		if !t.below(child) {
			return false
		}
	}
	return true
}

// goOn returns false if the context or the limit has ended the walk.
func (t *narrow) goOn() bool {
	t.next = t.Placed + pauseAfter
	if t.err = t.ctx.Err(); t.limit != 0 && t.Placed >= t.limit {
		t.err = errLimit
	}
	return t.err == nil
}

func (t *narrow) cost() (spent, ahead uint64) {
	return t.Placed, uint64(bits.OnesCount64(t.root.Open))
}

// open adds the free cells; negative literals are never open, since a board's cover determines what is forced.
func (t *narrow) open(missing *literals, _ bool) (split []cnf.Lit) {
	shortest, choice := t.Force(&t.root)
	if choice == 0 {
		return nil
	}
	for rows := t.root.Open; rows != 0; rows &= rows - 1 {
		row := bits.TrailingZeros64(rows)
		missing.words[row] = t.Free(&t.root, row)
	}
	t.first, t.lits = (*[board.MaxMasks]uint64)(missing.words[:board.MaxMasks]), t.lits[:0]
	for ; choice != 0; choice &= choice - 1 {
		t.lits = append(t.lits, missing.lit(shortest, bits.TrailingZeros64(choice)))
	}
	return t.lits
}

func (t *narrow) refute(l cnf.Lit) bool {
	row, bit := t.cell(l)
	t.Allowed[row] &^= bit
	return true
}
