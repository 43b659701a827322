package main

import (
	"errors"
	"fmt"
)

// The exit codes that scripts rely on, in addition to 0 and 1.
const (
	badInput    = 2
	runsFailed  = 3
	wrongAnswer = 4
	interrupted = 130
)

// The exit codes of SAT solvers: a model was found, or there is none.
const (
	hasModel = 10
	hasNone  = 20
)

// errDone stands for an error where an exit code other than 0 is no failure.
var errDone = errors.New("done")

// codedError is an error with an exit code.
type codedError struct {
	code int
	err  error
}

func (e *codedError) Error() string { return e.err.Error() }
func (e *codedError) Unwrap() error { return e.err }

// exit adds an exit code to err; nil stays nil.
func exit(code int, err error) error {
	if err == nil {
		return nil
	}
	return &codedError{code, err}
}

// invalid returns an error about bad usage, configuration or input.
func invalid(format string, args ...any) error { return exit(badInput, fmt.Errorf(format, args...)) }
