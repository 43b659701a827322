// Package program runs outside programs: from a command as a person writes it, in a
// process tree that ends with the question, with their last words when they fail.
//
// The package must never know what a program is asked, or what its answer means.
package program
