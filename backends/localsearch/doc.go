// Package localsearch looks for N-queens solutions by local search: a full or partial
// board is repaired until no queen attacks another. It finds, often at once and
// on boards of millions; it never refutes, so it says "not found", not "none".
//
// [Solve] sets a board up ([Init]) and repairs it by one of three methods ([Method]),
// one step at a time, with restarts. [Walk] supplies many solutions of one placement, as
// witnesses for valid cells.
//
// In Solve queens are named by their columns and move within them, as in the
// literature: rows[c] is the row of column c's queen. Walk returns the column
// of each row's queen, as boards are written.
//
// # Memory
//
// The theoretical minimum is the answer: 4 bytes per column. Swap from the greedy set-up needs
// a byte more for the diagonals' counts; the rest of its data is in pages that are
// never touched. Min-conflicts needs about 45 bytes per column: it must count every
// line, and find the queen at the other end of one.
//
// The package imports only the board: it must never know a formula ([queens/encode]), a diagram
// ([queens/robdd]) or a solver ([queens/backends/sat]).
package localsearch
