// Package search answers by exact backtracking.
//
// It is the third competitor beside diagrams and SAT, and what the tests hold both to,
// so it shares nothing with either: it must never know a node, and learns no clause.
//
// Every walk makes the choice with the fewest ways first (the fail-first principle:
// Haralick and Elliott, Artificial Intelligence 14, 1980, section 5), and what has one
// way is no choice. One walk serves every problem by its constraints alone
// (general.go). Queens on boards of up to 32 are walked over on bit masks: with three
// words of state (narrow.go), which visits all solutions ten times as fast, and from
// there with all lines counted at once where one solution is hard to find (packed.go).
// The benchmarks of this package compare the walks; a walk for larger boards, with a
// look-ahead, found the valid cells of a board two to three times slower than the
// general one, and is gone.
//
// Time is exponential in the size of the problem, memory linear: eight bytes for each
// literal of a constraint. Solutions are visited one by one, apart from those that
// differ in variables that no constraint bounds any more: about a million a second.
package search
