// Package engines gives sessions their back-ends by name, and keeps them warm: a
// board size is compiled once for each variable order, and solvers go back to a
// shelf when a question is answered.
//
// It bounds what all sessions together hold: the bytes of diagrams and of idle
// back-ends, and their number. It must never know who asks, a terminal or a server.
package engines
