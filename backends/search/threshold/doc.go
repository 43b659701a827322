// Package threshold finds how many queens can always be completed: the largest k such that every placement
// of k or fewer queens is part of a solution (OEIS A374013). "Or fewer" matters: every placement of n queens
// is a solution itself.
//
// [Refute] looks for a placement without a completion, by annealing towards few free cells. [Weigh] finds
// weights of lines that refute most such placements, also on boards far too large for a search; such weights
// are easy to check. [Prove] goes through all placements, except most that are images of others under the
// symmetries of the square. Searching for a completion of each would take years. So it draws solutions at
// random and rules out the placements that they contain, many at a time. A search decides the rest, and each
// solution that it finds rules out others too. [Threshold] combines Refute and Prove.
//
// Refute decides with the exact search of backends/search. Prove has a search of its own on the same bit
// masks, which differs in two ways: it chooses at random, since similar solutions rule out nothing new, and
// it prefers cells that still need a solution. A proof rests only on solutions, and each is verified.
// Another way to count the placements ([Count]) checks that the proof went through all of them. Weights or a
// SAT solver check a witness.
//
// The package knows boards: it must never know a formula ([queens/encode]) or a diagram ([queens/robdd]).
package threshold
