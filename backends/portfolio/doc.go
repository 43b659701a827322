// Package portfolio lets several back-ends answer one question. Running algorithms of different strengths on one question is
// called a portfolio (Gomes and Selman, Artificial Intelligence 126, 2001). There are three:
//
//   - [Oracle], for boards of queens: unit reasoning, local search and backtracking. Each settles what
//     those before it have left open. Where exact search alone is faster, it answers. It asks no solver.
//   - [Formula], for other problems: [queens/backends/near] and [queens/backends/sat] take turns that double.
//   - [Contest], to count and sample: contestants that its caller provides take turns by what they expect
//     to need, and share one limit of memory.
//
// Each part counts its work in its own units. The package must never know a diagram: [queens/robdd] or
// [queens/backends/bdd].
package portfolio
