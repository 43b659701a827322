// Package localsearch looks for solutions of N-queens by local search: it repairs a full or partial board
// until no queen attacks another. It finds solutions, often at once and on boards of millions. It never
// proves that there are none: its answer is "not found", not "none".
//
// [Solve] sets a board up ([Init]) and repairs it by one of three methods ([Method]), one step at a time, with restarts.
// [Walk] finds many completions of one placement, as witnesses for valid cells.
//
// Solve names queens by their columns, in which they move, as the literature does: rows[c] is the row of column c's
// queen. Walk returns the column of each row's queen, as boards are written.
//
// # Memory
//
// The answer alone takes 4 bytes per column. Swap after the greedy set-up takes one byte more, for the counts of
// diagonals; the rest of its data is in pages that are never touched. Min-conflicts takes about 45 bytes per column: it
// counts the queens on every line, and can identify the queen of a line that holds just one.
//
// The package imports only the board: it must never know a formula ([queens/encode]), a diagram
// ([queens/robdd]) or a solver ([queens/backends/sat]).
package localsearch
