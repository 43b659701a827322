// Package listing lists the solutions of a board of queens row by row, for callers that keep them all: the table, and the
// construction that folds them into a diagram.
//
// It must never know who keeps them: [queens/backends] or [queens/robdd].
package listing
