// Package backends defines the small interfaces that back-ends implement.
//
// A back-end is made from an encode.Problem and answers questions under assumptions:
// a placed queen is a positive literal, a blocked cell a negative one. Whatever a
// back-end can do beyond [Oracle] is a separate interface ([Counter], [Enumerator]),
// never a half-implemented method.
//
// The package must never know any back-end: it holds what they have in common.
package backends
