// Package counters has outside model counters count: programs that read a DIMACS file and print the
// number of its models in one of the ways that counters print it. What does not count is
// said by "c p show".
//
// The package must never link a counter, and never guess: an output with no exact number, or with two,
// is an error.
package counters
