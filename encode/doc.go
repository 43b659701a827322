// Package encode is the one encoder: a [Problem] is named variables and constraints
// over them (exactly one, at most one or at least one of some literals is true), and
// [Problem.CNF] turns the constraints into clauses.
//
// A [Family] makes the problem of a size: N-queens, and others that show what holds
// beyond queens. Each is a file and a line in [Families]. [ReadCNF] takes any DIMACS
// file. Every back-end starts from the same Problem, so that they answer the same
// question, and a [Propagator] tells what follows from literals by units alone. The
// package must never know a solver or a diagram.
//
// On a board of size n the variable of a cell is its row-major index plus one:
// variable 1 is a1, variable n is the last cell of row 1, variable n+1 is a2. It is
// true when a queen stands on the cell. Variables above the problem's own are
// auxiliary and belong to the at-most-one encoding that made them.
package encode
