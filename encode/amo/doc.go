// Package amo holds the encodings of "at most one of these literals is true" in
// clauses, each in a file of its own with the paper it comes from.
//
// It must never know what the literals stand for.
package amo
