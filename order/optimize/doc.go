// Package optimize looks for good variable orders. It computes the size of a diagram under any
// order (size.go), searches for an order with a smaller or larger diagram (search.go, by the moves
// of anneal.go; sift.go), and proves the minimum over all orders of small boards (exact.go).
//
// It works on solutions that its caller lists, so it goes as far as they can be listed, and a diagram engine
// can check its results. It must never know a back-end ([queens/backends]).
//
// Proofs and searches that take minutes have the build tag slow. Among them are the minima of
// n = 5 and 6 by independent programs (second_test.go).
package optimize
