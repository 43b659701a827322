// Package explain says why a cell can or cannot hold a queen beside the queens
// that stand already.
//
// The answer is the cheapest rung of a ladder that suffices: the placed queens
// attack each other; the cell is attacked; a queen there would leave some row or column without a free cell; a
// chain of forced moves ends so; every choice in one line ends so; or nothing
// shorter than a search shows it. All but the last can be followed on the board
// without trusting a solver. Beside it stands the blame: placed queens that alone
// rule the cell out, none of them needlessly.
//
// The package asks a [Solver] whether placements can be completed and must never
// know which one it is.
package explain
