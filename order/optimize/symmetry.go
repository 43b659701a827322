package optimize

import (
	"slices"

	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
	"queens/order"
)

// Symmetries returns the board's eight symmetries as permutations of its
// variables: variable v maps to image[v-1]. The first is the identity. Each maps
// the solutions on an empty board to solutions, so an order and its images have
// the same sizes.
func Symmetries(n int) [][]cnf.Var {
	var all [][]cnf.Var
	for _, s := range board.Symmetries() {
		image := make([]cnf.Var, n*n)
		for i := range image {
			image[i] = encode.Turned(n, s, cnf.Var(i+1).Pos()).Var()
		}
		all = append(all, image)
	}
	return all
}

// Canonical returns the lexicographically first image of an order under the board's symmetries. So
// orders that differ only by a symmetry have the same canonical image.
func Canonical(n int, o order.Order) order.Order {
	var first order.Order
	for _, image := range Symmetries(n) {
		turned := make(order.Order, len(o))
		for i, v := range o {
			turned[i] = image[v-1]
		}
		if first == nil || slices.Compare(turned, first) < 0 {
			first = turned
		}
	}
	return first
}
