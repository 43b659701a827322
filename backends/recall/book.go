package recall

import (
	"context"
	"slices"

	"queens/backends"
	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
)

// Book has the answers to an empty board of queens and to one queen anywhere. A symmetry of the square maps a
// queen's answer to its image's, so it asks about one cell of each class: about an eighth of them. For other problems,
// and for boards with queens or blocked cells, it stays empty.
type Book struct {
	problem encode.Problem
	n       int
	done    bool // there is nothing more to fill
	empty   backends.Valid
	first   []*backends.Valid // by cell: the answer with a queen there; nil until asked for, except for asked cells
}

// Asker answers a question about valid cells.
type Asker func(ctx context.Context, assume []cnf.Lit) (backends.Valid, error)

// NewBook returns an empty book for a problem.
func NewBook(p encode.Problem) *Book { return &Book{problem: p, n: p.N} }

// Fill asks about an empty board and one cell of each class, unless it has done so before.
func (b *Book) Fill(ctx context.Context, ask Asker) error {
	if b.done {
		return nil
	}
	if len(b.problem.Fixed) > 0 || !b.problem.IsQueens() {
		b.done = true
		return nil
	}
	var err error
	if b.empty, err = ask(ctx, nil); err != nil {
		return err
	}
	first := make([]*backends.Valid, b.n*b.n)
	for i := range first {
		if cell, _ := b.class(i); cell != i {
			continue
		}
		found, err := ask(ctx, []cnf.Lit{cnf.Var(i + 1).Pos()})
		if err != nil {
			return err
		}
		first[i] = &found
	}
	b.first, b.done = first, true
	return nil
}

// class returns the first cell of a cell's class, and a symmetry that maps that to the cell.
func (b *Book) class(cell int) (first int, from board.Symmetry) {
	first = cell
	for _, s := range board.Symmetries() {
		first = min(first, b.image(s, cell))
	}
	for b.image(from, first) != cell {
		from++
	}
	return first, from
}

// image returns the image of a cell.
func (b *Book) image(s board.Symmetry, cell int) int {
	row, col := s.Of(b.n, cell/b.n, cell%b.n)
	return row*b.n + col
}

// Answer returns the answer to a question with nothing or one queen assumed, without its work; known is false for
// other questions, and if the book is empty. The caller must not change it.
func (b *Book) Answer(assume []cnf.Lit) (valid backends.Valid, known bool) {
	if valid, known = b.answer(assume); known {
		valid.Work = backends.Work{}
	}
	return valid, known
}

func (b *Book) answer(assume []cnf.Lit) (valid backends.Valid, known bool) {
	switch {
	case len(b.first) == 0:
		return valid, false
	case len(assume) == 0:
		return b.empty, true
	case len(assume) > 1 || !assume[0].Positive() || int(assume[0]) > len(b.first):
		return valid, false
	}
	cell := int(assume[0].Var()) - 1
	if b.first[cell] == nil {
		first, s := b.class(cell)
		of := *b.first[first]
		of.Possible, of.Forced = b.mapped(s, of.Possible), b.mapped(s, of.Forced)
		b.first[cell] = &of
	}
	return *b.first[cell], true
}

// mapped returns the images of cells, in rising order.
func (b *Book) mapped(s board.Symmetry, vars []cnf.Var) []cnf.Var {
	if vars == nil {
		return nil
	}
	images := make([]cnf.Var, len(vars))
	for i, v := range vars {
		images[i] = encode.Turned(b.n, s, v.Pos()).Var()
	}
	slices.Sort(images)
	return images
}

// Bytes returns the bytes held.
func (b *Book) Bytes() (bytes int64) {
	for _, v := range b.first {
		if v != nil {
			bytes += int64(4 * (cap(v.Possible) + cap(v.Forced)))
		}
	}
	return bytes + int64(8*cap(b.first))
}
