// Package backbones runs outside backbone extractors, such as CadiBack and minibones: programs that read a DIMACS
// file and print its backbone, the literals that are true in every model. What the backbone rules out and what it
// forces is the answer to a question about possible variables.
//
// The package must never link an extractor, and never guess: an output that does not end, that names a literal
// and its negation, or that contradicts itself is an error. It must never know a back-end of ours
// ([queens/backends/sat]).
package backbones
