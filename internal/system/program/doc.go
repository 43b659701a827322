// Package program runs outside programs: from a command line as a person writes it,
// in a process tree that ends when the question does, and with the program's last
// line of output in the error if it fails.
//
// The package must never know what a program is asked ([queens/encode]), or what its answer means
// ([queens/backends]).
package program
