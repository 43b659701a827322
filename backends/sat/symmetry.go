package sat

import (
	"queens/board"
	"queens/encode"
)

// image maps each of a question's variables to its image under a symmetry, both
// counted from 0.
type image []int32

// images returns the symmetries of the square, other than the identity, that
// preserve a question about the queens problem: they map models to models.
func (o *Oracle) images(q *question) []image {
	if !o.problem.IsQueens() {
		return nil
	}
	value := o.propagator().Values() // the residual board decides
	if !q.own {
		value = o.problem.Values(q.assume)
	}
	n := o.problem.N
	number := make([]int32, n*n)
	for i, v := range q.vars {
		number[v-1] = int32(i)
	}
	var images []image
	for _, s := range board.Keeping(n, value) {
		to := make(image, len(q.vars))
		for i, v := range q.vars {
			to[i] = number[encode.Turned(n, s, v.Pos()).Var()-1]
		}
		images = append(images, to)
	}
	return images
}
