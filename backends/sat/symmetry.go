package sat

import (
	"queens/board"
	"queens/encode"
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
		return boardImages(n, r.value, q.vars)
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
	for s := 1; s < 8; s++ {
		for i, v := range value {
			if value[symmetric(s, n, i)] != v {
				continue next
			}
		}
		to := make(image, len(vars))
		for i, v := range vars {
			to[i] = number[symmetric(s, n, int(v)-1)]
		}
		images = append(images, to)
	}
	return images
}

// symmetric returns where one of the eight symmetries of the square takes the cell of
// an index: bit 2 of s exchanges rows and columns, bits 0 and 1 then turn them over.
func symmetric(s, n, cell int) int {
	c := board.At(n, cell)
	if s&4 != 0 {
		c.Row, c.Col = c.Col, c.Row
	}
	if s&1 != 0 {
		c.Row = n - 1 - c.Row
	}
	if s&2 != 0 {
		c.Col = n - 1 - c.Col
	}
	return int(encode.CellVar(n, c)) - 1
}
