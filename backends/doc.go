// Package backends defines what every back-end can do.
//
// A [Backend] is made from an encode.Problem and answers questions under assumptions: a placed
// queen is a positive literal, a blocked cell a negative one. One that can also count is a
// [Counter].
//
// The package must never know any back-end: it holds what they have in common.
package backends
