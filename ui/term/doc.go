// Package term is the configurator in a terminal: a board with keyboard and mouse
// for a person, and the same commands from a file for tests and lectures.
//
// A [Player] is a session and its back-end; [Run] shows it on a terminal, and
// [Player.Script] runs commands and answers in plain text. The package must never
// know how a question is answered.
package term
