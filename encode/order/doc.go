// Package order holds variable orders by name: sequences of a board's cells,
// the first at the top level of a diagram.
//
// It must never know a diagram: an order is a permutation and nothing else.
package order
