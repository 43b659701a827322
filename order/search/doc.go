// Package search looks for good variable orders: it computes the size of a
// diagram under any order (size.go), searches for an order with a smaller or a larger
// one (search.go, by the moves of anneal.go; resume.go keeps a search in a file), and
// proves: the smallest of all orders, along two independent paths (exact.go, tables.go),
// the smallest by whole rows (rows.go), and lower bounds (bound.go, levels.go).
//
// It works on listed solutions, so it reaches as far as they can be listed, and
// what it says can be checked by a diagram engine. It must never import one.
//
// Proofs and searches of minutes have the build tag slow. Among them are the minima of
// n = 5 and 6 by programs of their own (second_test.go).
package search
