// Package order holds variable orders by name: sequences of a board's cells,
// the first at the top level of a diagram.
//
// It must never know a diagram: an order is a permutation and nothing else.
// What size it leads to, and which order is best, is package order/search's
// business. The package example draws every named order on a board of four.
package order
