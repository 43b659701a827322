package sat

import (
	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
)

// image maps each variable of a question to its image under a symmetry. Both are
// numbered from 0.
type image []int32

// imagesOn returns the symmetries of the square of side n, other than the identity, that keep the
// values of its cells. They map models to models. vars has the cell of each of a question's variables.
func imagesOn(n int, value []int8, vars []cnf.Var) []image {
	number := make([]int32, n*n)
	for i, v := range vars {
		number[v-1] = int32(i)
	}
	var images []image
	for _, s := range board.Keeping(n, value) {
		to := make(image, len(vars))
		for i, v := range vars {
			to[i] = number[encode.Turned(n, s, v.Pos()).Var()-1]
		}
		images = append(images, to)
	}
	return images
}
