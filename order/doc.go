// Package order holds variable orders by name: sequences of a board's cells,
// the first at the top level of a diagram.
//
// It must never know a diagram ([queens/robdd], [queens/backends]): an order is a permutation and nothing
// else. Package order/optimize computes the size of the diagram under an order, and looks for the best. The
// package example shows every named order on a board of four.
package order
