// Package search answers by exact backtracking over bit masks.
//
// It is the third competitor beside diagrams and SAT, and the tests' brute
// force, so it shares nothing with either: it must never know a clause or a
// node. Each row holds the mask of its free cells; placing a queen clears what
// it attacks from the masks of the open rows. The next queen goes to the row, or
// the column, with one free cell left if there is any, and else to the row with
// the fewest free cells (the fail-first principle: Haralick and Elliott,
// Artificial Intelligence 14, 1980, section 5); a row or column without a free
// cell ends the branch.
//
// Time is exponential in the board's size, memory O(n^3/64) words.
package search
