// Package csplib reads, writes and generates boards of queens in the format of CSPLib (Gent, Jefferson and
// Nightingale, Complexity of n-Queens Completion, Journal of Artificial Intelligence Research 59, 2017): n queens on
// a board where some stand already (completion, prob079), where some cells stay empty (blocked, prob080), or where
// no queen may stand on the first d of a list of diagonals (excluded diagonals, prob079).
//
// Each problem is NP-complete, unlike the empty board, so instances bring out the differences between
// solvers. Excluded diagonals become blocked cells. The package knows the file format and the board, and must
// never know an encoding ([queens/encode/amo], [queens/encode/cnf]) or a solver ([queens/backends]).
package csplib
