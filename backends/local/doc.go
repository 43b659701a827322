// Package local looks for N-queens solutions by local search: a full or partial
// board is repaired until no queen attacks another. It finds, often at once and
// on boards of millions; it never refutes, so it says "not found", not "none".
//
// [Completer] supplies many solutions of one placement, as witnesses for valid
// cells.
//
// The package must never know a formula, a diagram or a solver: it imports the
// board alone.
package local
