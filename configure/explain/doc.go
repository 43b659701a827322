// Package explain says why a literal of a problem can or cannot be true, given others, and why a cell of a
// board can or cannot hold a queen. A cell is a literal, and its lines are the constraints.
//
// The answer is the cheapest rung of a ladder that suffices (ladder.go): given literals exclude each
// other; they exclude the literal; the literal leaves some constraint without any literal that it needs;
// a chain of forced literals leads to such a constraint; every open literal of one constraint leads to a
// contradiction; or only a search shows it. A reader can follow all but the last without trusting a
// solver (trace.go makes the steps).
//
// With the answer comes the blame: the given literals that the steps use. If a smaller set rules the
// literal out by a longer argument, the answer names that set as well (culprits.go).
//
// The package asks a [backends.Backend] whether placements can be completed, and must never know which solver
// it is: [queens/backends/sat], [queens/backends/search] or [queens/backends/portfolio].
package explain
