// Package threshold finds how many queens can always be completed: the largest k such that every placement of k queens
// or fewer that do not attack each other is part of a solution (OEIS A374013). "Or fewer" matters: all n queens of a
// board are always part of a solution, themselves.
//
// [Refute] looks for a placement without a completion, by annealing towards few free cells. [Weigh] finds weights of
// lines that refute most such placements at a glance, also on boards far too large for a search. [Prove] goes through
// all placements, leaving out most that are images of others under the symmetries of the square. Searching for a
// completion of each would take years. So it draws solutions at random and rules out the placements that they contain,
// many at a time; a search decides the rest, and each solution that it finds is used as well. [Threshold] puts both
// together.
//
// Refute decides with the exact search of backends/search, Prove with a search of its own on the same bit masks, which
// differs in two ways: it takes its choices at random, since solutions that are alike rule out nothing new, and prefers
// cells that are still needed. A proof rests on solutions alone, and each is verified; that all placements were gone
// through is checked by counting them in another way ([Count]); and a witness by its weights or by a SAT solver.
//
// The package knows boards: it must never know a formula ([queens/encode]) or a diagram ([queens/robdd]).
package threshold
