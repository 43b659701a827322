// Package bdd compiles a board problem to a decision diagram, by the named
// construction and in a given variable order, and answers questions from the
// diagram.
//
// [Compile] builds; what it costs differs by orders of magnitude between
// constructions, and between orders for the same construction, which is what
// this package is there to show. [New] makes an Oracle of the result: every
// answer is one or two linear passes.
//
// It lies between the encoder and the engine: it must never know how nodes are
// stored, nor what an experiment or a command is.
package bdd
