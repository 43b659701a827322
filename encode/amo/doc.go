// Package amo holds the encodings of "at most one of these literals is true" as
// clauses, each in its own file with the paper it comes from. Some of them take any other
// number, too (count.go).
//
// It must never know what the literals stand for: no [queens/board].
package amo
