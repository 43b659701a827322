// Package pool lends back-ends to sessions by name, and keeps them warm: a
// board size is compiled once for each variable order, and solvers go back to a
// shelf once a question is answered. Besides boards it serves one problem of the user's own, which a
// solver answers until its diagram is there.
//
// It bounds what all sessions together hold: the bytes of diagrams and idle back-ends, and the number of idle
// back-ends. It must never know whether a terminal or a server asks ([queens/ui]), or what a session is
// ([queens/configure/lesson]).
package pool
