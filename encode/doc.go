// Package encode is the one encoder: a [Problem] is named variables and constraints
// over them (from Least to Most of some literals are true: see [Constraint]), and
// [Problem.CNF] turns the constraints into clauses.
//
// A [Family] builds the problem of a given size: N-queens, and others that show what carries over from
// queens. Each family is one file and one entry in [Families]. [ReadCNF] reads any DIMACS file and finds
// constraints again that were written in pairs; [ReadOPB] reads pseudo-Boolean constraints, and [ReadUVL] feature models. All
// back-ends start from the same Problem, so they answer the same question, and a [Propagator] finds what
// follows from literals by unit propagation. The package must never know a solver ([queens/backends]) or a
// diagram ([queens/robdd]).
//
// On a board of size n the variable of a cell is its row-major index plus one:
// variable 1 is a1, variable n is the last cell of row 1, variable n+1 is a2. It is
// true when a queen stands on the cell. Variables above the problem's own are
// auxiliary: an encoding or [ReadUVL] introduced them, or a file says that they do not count.
package encode
