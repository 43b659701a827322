// Package portfolio answers about queens by several ways in turn, the cheap ones
// first: unit reasoning, solutions kept from earlier questions, local search,
// backtracking, and the SAT solver gini for what they leave open. A portfolio is what
// algorithms of different strengths run on one question are called (Gomes and Selman,
// Artificial Intelligence 126, 2001).
//
// Each part counts its work in its own units. The package must never know how one of
// its parts comes to its answer.
package portfolio
