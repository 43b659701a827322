// Package term is the configurator in a terminal: a board, or the options of a
// problem, with keyboard and mouse for a person, and the same commands from a file
// for tests and lectures.
//
// A [Player] is a session on a board and its back-end, a [Chooser] one about
// options. [Run] shows either on a terminal, and its Script method runs commands
// and answers in plain text. The package must never know how a question is answered.
package term
