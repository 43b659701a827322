// Package counters runs outside model counters: programs that read a DIMACS file and print the number
// of its models, in one of the common output formats. A line "c p show" in the file says which variables
// the count is projected to.
//
// The package must never link a counter, and never guess: an output with no exact number, or with two,
// is an error, and so is an exit code that means failure.
package counters
