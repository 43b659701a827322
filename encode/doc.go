// Package encode is the one encoder: it turns N-queens, with queens already
// placed and cells blocked, into constraints, and constraints into CNF.
//
// Every back-end starts from the same [Problem], so that they answer the same
// question. The package must never know a solver or a diagram.
//
// The variable of a cell is its row-major index plus one: on a board of size n,
// variable 1 is a1, variable n is the last cell of row 1, variable n+1 is a2.
// It is true when a queen stands on the cell. Variables above n*n are auxiliary
// and belong to the at-most-one encoding that made them.
package encode
