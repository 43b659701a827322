package main

import (
	"errors"
	"fmt"

	"queens/experiments/record"
	"queens/internal/param"
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

// flagged turns an error about a field of a question into one about the flag.
func flagged(err error) error {
	field := (*param.Error)(nil)
	switch {
	case !errors.As(err, &field):
		return err
	case field.Field == "problem": // the text names it
		return invalid("%s", field.Text)
	case field.Field == "n":
		return invalid("flag -%w", field)
	}
	return invalid("flag --%w", field)
}

// verdict returns an error with the exit code for the outcomes; nil if all runs are ok.
func verdict(records []record.Row, file string) error {
	tally := record.Tally(records)
	if n, how := record.RefutedRuns(records); n > 0 {
		return exit(wrongAnswer,
			fmt.Errorf("%d of %d runs gave a %s answer: see the reason column of %s", n, len(records), how, file))
	}
	if n := len(records) - tally[record.OK]; n > 0 {
		return exit(runsFailed,
			fmt.Errorf("%d of %d runs failed or hit a limit: see the reason column of %s", n, len(records), file))
	}
	return nil
}
