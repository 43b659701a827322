// Package program runs outside programs. It takes a command line as a person writes it, and runs it in a
// process tree that ends with the question. If the program fails, the error contains its last line of
// output.
//
// The package must never know what a program is asked ([queens/encode]), or what its answer means
// ([queens/backends]).
package program
