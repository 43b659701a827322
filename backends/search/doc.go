// Package search answers by exact backtracking.
//
// It is the third competitor besides diagrams and SAT, and the reference that the
// tests compare both with, so it shares nothing with either: it must never know a
// node, and learns no clauses.
//
// Every walk branches on the choice with the fewest options first (the fail-first
// principle: Haralick and Elliott, Artificial Intelligence 14, 1980, section 5), and
// makes forced choices at once. One walk works for every problem, from its constraints
// alone (general.go). Queens on boards of up to 32 use walks on bit masks: one with
// three words of state (narrow.go), which visits all solutions ten times as fast, and,
// where one solution is hard to find, one that counts all lines at once (packed.go): on
// hard boards of 21 it takes three quarters of the time. Larger boards with at most 64 open
// rows are walked with a word for each row (rows.go), to visit all solutions and by the
// portfolio. The benchmarks of this package compare the walks. A walk with look-ahead for larger
// boards found the valid cells of a board two to three times slower than the general
// one, and was removed.
//
// Time is exponential in the size of the problem, memory linear: eight bytes for each
// literal of a constraint. Solutions are visited one by one, about a million per
// second, except that solutions that differ only in unconstrained variables are
// visited together, and that counts on bit masks visit one of each set of images under
// the symmetries of the fixed cells.
package search
