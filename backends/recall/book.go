package recall

import (
	"context"
	"slices"

	"queens/backends"
	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
)

// Book has a back-end's answers to an empty board of queens and to one queen anywhere. A symmetry of the square maps a
// queen's answer to its image's, so it asks about one cell of each class: about an eighth of them. For other problems,
// and for boards with queens or blocked cells, it stays empty. It has no answer after a first click that blocks a cell.
type Book struct {
	problem encode.Problem
	by      backends.Backend
	method  string
	done    bool // there is nothing more to fill
	empty   backends.Valid
	first   []*backends.Valid // by cell: the answer with a queen there
}

// NewBook returns an empty book for a problem, to be filled by a method of a back-end.
func NewBook(p encode.Problem, by backends.Backend, method string) *Book {
	return &Book{problem: p, by: by, method: method}
}

// Fill asks about an empty board and one cell of each class, unless it has done so before.
func (b *Book) Fill(ctx context.Context) (err error) {
	if b.done || len(b.problem.Fixed) > 0 || !b.problem.IsQueens() {
		b.done = true
		return nil
	}
	if b.empty, err = b.by.Valid(ctx, nil, b.method); err != nil {
		return err
	}
	n := b.problem.N
	first := make([]*backends.Valid, n*n)
	for i := range first {
		if first[i] != nil {
			continue
		}
		queen := cnf.Var(i + 1).Pos()
		found, err := b.by.Valid(ctx, []cnf.Lit{queen}, b.method)
		if err != nil {
			return err
		}
		for _, s := range board.Symmetries() {
			if image := encode.Turned(n, s, queen) - 1; first[image] == nil {
				of := found
				of.Possible, of.Forced = turned(n, s, found.Possible), turned(n, s, found.Forced)
				first[image] = &of
			}
		}
	}
	b.first, b.done = first, true
	return nil
}

// turned returns the images of cells, in rising order.
func turned(n int, s board.Symmetry, vars []cnf.Var) []cnf.Var {
	if vars == nil {
		return nil
	}
	images := make([]cnf.Var, len(vars))
	for i, v := range vars {
		images[i] = encode.Turned(n, s, v.Pos()).Var()
	}
	slices.Sort(images)
	return images
}

// Answer returns the answer to a question with nothing or one queen assumed, without its work; known is false for
// other questions, and if the book stays empty. The caller must not change it.
func (b *Book) Answer(ctx context.Context, assume []cnf.Lit) (valid backends.Valid, known bool, err error) {
	err = b.Fill(ctx)
	switch {
	case err != nil || len(b.first) == 0:
		return valid, false, err
	case len(assume) == 0:
		valid = b.empty
	case len(assume) == 1 && assume[0].Positive() && int(assume[0]) <= len(b.first):
		valid = *b.first[assume[0]-1]
	default:
		return valid, false, nil
	}
	valid.Work = backends.Work{}
	return valid, true, nil
}

// Bytes returns the bytes held.
func (b *Book) Bytes() (bytes int64) {
	for _, v := range b.first {
		bytes += int64(8 + 4*(cap(v.Possible)+cap(v.Forced)))
	}
	return bytes
}
