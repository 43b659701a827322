package sat

import (
	"queens/board"
	"queens/encode/cnf"
)

// image maps each of a question's variables to the one that a symmetry takes it to,
// both counted from 0.
type image []int32

// images returns the symmetries of the square, other than the identity, that leave a
// question of the queens problem as it is: what is true in a model has an image that
// is true in another.
func (o *Oracle) images(q *question) []image {
	if !o.problem.IsQueens() {
		return nil
	}
	n := o.problem.N
	r := o.propagator()
	if q.own { // what is left of the board tells
		return boardImages(n, r.Values(), q.vars)
	}
	value := make([]int8, n*n)
	for _, lits := range [][]cnf.Lit{o.problem.Fixed, q.assume} {
		for _, l := range lits {
			if value[l.Var()-1] = 1; l < 0 {
				value[l.Var()-1] = -1
			}
		}
	}
	return boardImages(n, value, q.vars)
}

// boardImages returns the symmetries that keep each cell's value.
func boardImages(n int, value []int8, vars []cnf.Var) []image {
	number := make([]int32, n*n)
	for i, v := range vars {
		number[v-1] = int32(i)
	}
	var images []image
next:
	for _, s := range board.Symmetries()[1:] {
		of := func(cell int) int { row, col := s.Of(n, cell/n, cell%n); return row*n + col }
		for i, v := range value {
			if value[of(i)] != v {
				continue next
			}
		}
		to := make(image, len(vars))
		for i, v := range vars {
			to[i] = number[of(int(v)-1)]
		}
		images = append(images, to)
	}
	return images
}
