// Package bdd compiles a problem to a decision diagram, by a named construction and
// in a given variable order, and answers questions from the diagram.
//
// Systems of exactly-one and at-most-one constraints over positive literals are compiled from the top
// down (freeset.go), whatever their subject: plan.go and layout.go turn the constraints into arithmetic
// on words. All other problems are conjoined, constraint by constraint. The constructions that are
// usually described in terms of boards work on groups of disjoint constraints (rules.go), which for
// queens are the rows, columns and diagonals.
//
// [Compile] builds the diagram. The cost differs by orders of magnitude between constructions, and
// between orders for the same construction; this package exists to show that. [New] makes an Oracle,
// which answers by one or two passes over a part of the diagram.
//
// It lies between the encoder and the engine. It must never know who compiles: [queens/ask],
// [queens/experiments] or [queens/configure].
package bdd
