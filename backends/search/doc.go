// Package search answers by exact backtracking.
//
// It competes with the back-ends that compile, ask a solver or learn, and is the reference with which the tests compare
// them. So it shares nothing with them: it must never know a diagram ([queens/robdd], [queens/backends/bdd]) or a
// solver ([queens/backends/sat]), and learns no clauses.
//
// Every walk branches on the choice with the fewest options (the fail-first principle: Haralick and Elliott,
// Artificial Intelligence 14, 1980, section 5), and makes forced choices at once. One walk works for every
// problem, from its constraints alone (general.go). Queens on boards of up to 32 are walked on the bit masks
// of [board.Masks] (narrow.go), which visits all solutions ten times as fast. On larger boards with at most
// 64 open rows, a walk with one word per row (rows.go) visits all solutions; the portfolio uses it too. The
// benchmarks of this package compare the walks. Two walks were removed: one with look-ahead for larger
// boards, which took two to three times as long as the general one to find valid cells; and one for hard
// boards that kept the free cells of rows and columns packed into words, which gained a third on boards of
// 21 with excluded diagonals and nothing elsewhere.
//
// Time is exponential in the size of the problem, memory linear: eight bytes for each literal of a
// constraint. A walk visits about a million solutions a second, one by one, with two exceptions: solutions
// that differ only in unconstrained variables are visited together, and counts on bit masks visit one of
// each set of images under the symmetries of the fixed cells.
package search
