package search

import (
	"slices"

	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
	"queens/order"
)

// Symmetries returns the board's eight symmetries as permutations of its
// variables: variable v goes to image[v-1]. The first is the identity. The
// solutions on an empty board are the same after each, so an order and its eight
// images have the same sizes.
func Symmetries(n int) [][]cnf.Var {
	var all [][]cnf.Var
	for turn := range 8 {
		image := make([]cnf.Var, n*n)
		for i := range image {
			c := board.At(n, i)
			if turn&1 != 0 {
				c.Row = n - 1 - c.Row
			}
			if turn&2 != 0 {
				c.Col = n - 1 - c.Col
			}
			if turn&4 != 0 {
				c.Row, c.Col = c.Col, c.Row
			}
			image[i] = encode.CellVar(n, c)
		}
		all = append(all, image)
	}
	return all
}

// Canonical returns the first, in lexicographic order, of an order's images
// under the board's symmetries, so that two orders that differ by a symmetry are
// seen to be one.
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
