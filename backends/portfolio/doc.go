// Package portfolio answers questions about queens by several methods in turn, the
// cheapest first: unit reasoning, local search, backtracking, and the SAT solver gini.
// Each method settles what the ones before it have left open. Running algorithms of
// different strengths on one question is called a portfolio (Gomes and Selman,
// Artificial Intelligence 126, 2001). Where exact search alone is faster, it answers.
//
// Each part counts its work in its own units. The package must never know a diagram: [queens/robdd] or
// [queens/backends/bdd].
package portfolio
