// Package threshold finds out how many queens can always be completed: whether every placement
// of k queens that do not attack each other is part of a solution (OEIS A374013).
//
// [Refute] looks for a placement without a completion, by annealing towards few free cells. [Weigh]
// finds weights of lines that refute most such placements at a glance, also on boards far too large for
// a search.
// [Prove] goes through all placements up to symmetry. Asking for a completion of each would take
// years, so it draws solutions at random and rules out what they contain, many placements at a
// time; a search decides what is left, and each solution that it finds is used as well.
// [Threshold] is the largest k such that every placement of up to k queens has a completion.
//
// The package knows boards. Refute decides with the exact search of backends/search, and Prove
// with one of its own, which differs in two ways: it takes its choices at random, since solutions
// that are alike bring nothing new, and prefers cells that are still needed. The two share
// nothing, so that one can check the other.
package threshold
