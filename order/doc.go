// Package order holds variable orders by name: sequences of a problem's variables, the first at the top level of
// a diagram. Some orders are of a board's cells, the others take any problem.
//
// It must never know a diagram ([queens/robdd], [queens/backends]): an order is a permutation and nothing
// else. Package order/optimize computes the size of the diagram under an order, and looks for the best. The
// package example shows every named order on a board of four.
package order
