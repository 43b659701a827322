// Package board describes the chessboard: cells and how they are written, the lines along which a queen
// attacks, the symmetries of the square, the check of a solution, and the published numbers of solutions. It
// has two types of position, which track the free cells and place forced queens: [Position] for boards of
// any size, and [Masks] for searches on boards of up to 32.
//
// Every other package uses its terms, and it checks their answers independently, so it must never
// know how an answer was found ([queens/backends], [queens/encode], [queens/robdd]): it imports no other
// package of this module.
//
// A board of size n has n*n cells. A [Cell] is (row, column), both counted from
// 0, and is written as in chess, file letter(s) then rank: a1 is row 0 column 0,
// h8 is row 7 column 7; after file z comes aa, as in spreadsheets. Pictures have
// rank 1 at the bottom, as in chess:
//
//	4 . . Q .
//	3 Q . . .
//	2 . . . Q
//	1 . Q . .
//	  a b c d
package board
