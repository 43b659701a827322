// Package search looks for good variable orders: it computes the size of a
// diagram under any order (size.go), searches for an order with a smaller one
// (search.go, by the moves of anneal.go), and proves the smallest of all, along
// two independent paths (exact.go, tables.go).
//
// It works on listed solutions, so it reaches as far as they can be listed, and
// what it says can be checked by a diagram engine. It must never import one.
//
// The proof for n = 5 takes half a minute; its test has the build tag slow.
package search
