// Package pool lends back-ends to sessions and keeps them warm: a board size is compiled once for each
// variable order, and back-ends go back to a shelf after each question. A [Key], made from a choice,
// says which back-end answers. Keys also reach saved diagrams and one problem of the user's own, which
// another back-end answers until it is compiled.
//
// The pool bounds what all sessions together hold: the bytes of diagrams and idle back-ends, and the
// number of idle back-ends. It must never know whether a terminal or a server asks ([queens/ui]), or what
// a session is ([queens/configure], [queens/configure/lesson]).
package pool
