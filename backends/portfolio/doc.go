// Package portfolio answers questions about queens by several methods in turn, the
// cheap ones first: unit reasoning, local search, backtracking, and the SAT solver
// gini for what they leave open. Algorithms of different strengths run on one
// question are called a portfolio (Gomes and Selman, Artificial Intelligence 126,
// 2001). Where exact search alone is quicker, it answers.
//
// Each part counts its work in its own units. The package must never know how a part
// arrives at its answer.
package portfolio
