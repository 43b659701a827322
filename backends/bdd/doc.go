// Package bdd compiles a problem to a decision diagram, by the named construction and
// in a given variable order, and answers questions from the diagram.
//
// A system of exactly-one and at-most-one constraints over positive literals is compiled
// from the top down (freeset.go), whatever it is about: plan.go and layout.go turn its
// constraints into arithmetic on words. Anything else is conjoined, constraint by
// constraint. The constructions that people tell in terms of boards go by groups of
// disjoint constraints (rules.go), which are the rows, columns and diagonals of queens.
//
// [Compile] builds; what it costs differs by orders of magnitude between
// constructions, and between orders for the same construction, which is what
// this package is there to show. [New] makes an Oracle of the result: every
// answer is one or two linear passes.
//
// It lies between the encoder and the engine: it must never know how nodes are
// stored, nor what an experiment or a command is.
package bdd
