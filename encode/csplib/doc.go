// Package csplib reads and generates instances of the excluded-diagonals
// problem, CSPLib prob079 (Gent, Jefferson and Nightingale, Complexity of
// n-Queens Completion, Journal of Artificial Intelligence Research 59, 2017): n
// queens on a board where no queen may stand on the first d of a list of
// diagonals.
//
// The problem is NP-complete, unlike the empty board, so its instances bring out the differences between
// solvers. Excluded diagonals become blocked cells. The package knows the file format and the board, and must
// never know an encoding ([queens/encode/amo], [queens/encode/cnf]) or a solver ([queens/backends]).
package csplib
