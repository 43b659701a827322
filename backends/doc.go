// Package backends holds the small interfaces that every way of answering meets.
//
// A back-end is made from an encode.Problem and asked under assumptions: a
// placed queen is a positive literal, a cell kept empty a negative one. What a
// back-end can do beyond [Oracle] is a second interface ([Counter],
// [Enumerator]), never a half-implemented method.
//
// The package must never know a back-end: it is what they have in common.
package backends
