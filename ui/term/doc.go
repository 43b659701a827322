// Package term is the configurator in a terminal: a board, or the options of a problem. A person uses
// keyboard and mouse; tests and lectures run the same commands from a file.
//
// A [Player] is a session on a board and its back-end, a [Chooser] one about options. Each is a [Game], a
// list of commands: [Run] shows it on a terminal, whose keys are commands, and [Script] runs commands and
// answers in plain text. The package must never know how a question is answered: [queens/backends],
// [queens/encode], [queens/order], [queens/configure/explain] or [queens/experiments].
package term
