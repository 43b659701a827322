// Package bdd compiles a problem to a decision diagram, by a named construction and
// in a given variable order, and answers questions from the diagram.
//
// A system of exactly-one and at-most-one constraints over positive literals is compiled
// from the top down (freeset.go), without regard to its subject: plan.go and layout.go turn its
// constraints into arithmetic on words. Anything else is conjoined, constraint by
// constraint. The constructions that are usually described in terms of boards work on
// groups of disjoint constraints (rules.go), which are the rows, columns and diagonals
// of queens.
//
// [Compile] builds; the cost differs by orders of magnitude between constructions,
// and between orders for the same construction; this package exists to show that.
// [New] makes an Oracle from the result, whose answers take one or two passes over a part of it.
//
// It lies between the encoder and the engine. It must never know who compiles: [queens/ask],
// [queens/experiments] or [queens/configure].
package bdd
