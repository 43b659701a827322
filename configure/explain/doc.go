// Package explain says why a cell can or cannot hold a queen, given the queens
// already placed, and why a literal of any problem can or cannot be true, given others.
//
// For a literal the answer is a minimal set of the given literals, and of constraints, that rule
// it out, and the steps of unit propagation that lead there, if they do.
//
// For queens it is the cheapest rung of a ladder that suffices: the placed queens attack each
// other; the cell is attacked; a queen there would leave some row or column without a free cell; a
// chain of forced moves leads to such a line; every choice in one line does; or nothing shorter
// than a search shows it. All but the last can be followed on the board without trusting a solver.
// With the answer comes the blame: a minimal set of placed queens that rules the cell out by itself.
//
// The package asks a [backends.Backend] whether placements can be completed, and must never know which solver
// it is: [queens/backends/sat], [queens/backends/search] or [queens/backends/portfolio].
package explain
