// Package tasks holds what runs do: compile a diagram, find valid cells, encode,
// enumerate, solve.
//
// It knows both sides, the experiments and the back-ends, and is the only
// package that does. A task is a struct whose fields are a run's parameters; it
// must never read a configuration, write a record or look at another run.
package tasks
