// Package tasks implements what runs do: compile a diagram, find valid cells, encode,
// enumerate, solve.
//
// It is the only package that knows both the experiments and the back-ends. A kind of task is an
// experiments.Kind, functions over a struct of a run's parameters; it must never read a configuration
// ([queens/experiments/config]), write a record ([queens/experiments/record]) or look at another run.
package tasks
