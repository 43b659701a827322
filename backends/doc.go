// Package backends defines what every back-end can do.
//
// A [Backend] is made from an encode.Problem and answers questions under assumptions: a placed
// queen is a positive literal, a blocked cell a negative one. One that can also count is a
// [Counter].
//
// It holds what the back-ends have in common, and must never know any of them: nothing below
// [queens/backends], and no [queens/encode/amo], [queens/robdd] or [queens/ask].
package backends
