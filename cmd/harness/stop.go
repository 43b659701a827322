package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"queens/internal/system"
)

// endLate ends the process of an interrupted command that does not stop in time, for instance because it
// waits for a file or pipe that nobody writes or reads, or builds a solver for a large formula, where no context
// can reach it. A command that runs out of memory is ended by its guard.
func endLate(ctx context.Context, saves bool) {
	if errors.As(context.Cause(ctx), new(*outOfMemory)) {
		return
	}
	patience := 300 * time.Millisecond // to say how far it got
	if saves {
		patience = 2 * time.Second
	}
	time.Sleep(patience)
	fmt.Fprintln(os.Stderr, "harness: interrupted", workOf(ctx).came())
	system.Exit(interrupted)
}

// interruption replaces the error of a command that was interrupted or ran out of memory by one that says how far
// it got, unless the command has already said so.
func interruption(ctx context.Context, err error) error {
	work := workOf(ctx)
	var ran *outOfMemory
	switch {
	case errors.As(context.Cause(ctx), &ran):
		return exit(runsFailed, fmt.Errorf("%w; stopped %s", ran, work.came()))
	case ctx.Err() != nil && errors.Is(err, context.Canceled): // regardless of its exit code so far
		return exit(interrupted, fmt.Errorf("interrupted %s", work.came()))
	}
	return err
}
