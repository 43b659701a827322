// Package search answers by exact backtracking over bit masks.
//
// It is the third competitor beside diagrams and SAT, and the tests' brute
// force, so it shares nothing with either: it must never know a clause or a
// node.
//
// The next queen goes to a row or column with one free cell if there is any, and
// else to the one with the fewest (the fail-first principle: Haralick and
// Elliott, Artificial Intelligence 14, 1980, section 5); a row or column without
// a free cell ends the branch. Boards of up to 32 are walked with three words of
// state (narrow.go), going on with all lines counted at once where one solution is
// hard to find (packed.go); larger ones with the free cells held by row and by
// column and more propagation (wide.go). Time is exponential in the board's size; a
// wide walk takes n^2/4 bytes and the trail's 4 n^2.
package search
