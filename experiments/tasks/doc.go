// Package tasks implements what runs do: compile a diagram, find valid cells, count, solve, look for orders,
// prove a threshold.
//
// Below the commands it is the only package that imports both experiments and back-ends. A kind of task is
// an experiments.Kind: functions over a struct of a run's parameters. It must never read a configuration
// ([queens/experiments/config]), write a record ([queens/experiments/record]) or look at another run.
package tasks
