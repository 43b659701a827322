// Command harness compares BDD and SAT on the N-queens problem: it runs
// experiments from YAML and reports them, and answers single questions (compile,
// valid, encode, ...) on the command line.
//
// A command reads its flags, calls the packages that do the work, and prints what they found. What commands
// share, such as flags, progress and limits, has a file of its own.
//
// Exit codes: 0 success; 1 internal error; 2 bad usage, configuration or input;
// 3 some runs failed or hit a limit; 4 an answer disagrees with a known one;
// 130 interrupted; solve --format dimacs ends as SAT solvers do, with 10 or 20.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"queens/internal/system"
)

func main() { os.Exit(run(os.Args[1:])) }

// run executes one command line and returns the exit code.
func run(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP,
		syscall.SIGQUIT)
	defer stop()
	// The first signal asks a command to stop; a second one kills it.
	context.AfterFunc(ctx, stop)
	if len(args) == 1 && slices.Contains([]string{"version", "--version"}, args[0]) {
		fmt.Println(version())
		return 0
	}
	root := newRoot(args...)
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return 0
	}
	code := 1
	if work := workOf(cmd.Context()); work != nil {
		work.hide()
		err = stopped(cmd.Context(), err)
	} else { // cobra's and pflag's errors about the command line
		err = invalid("%s\nusage: %s (%s --help)", misuse(cmd, err), cmd.UseLine(), cmd.CommandPath())
	}
	if coded := (*codedError)(nil); errors.As(err, &coded) {
		code = coded.code
	}
	if !errors.Is(err, errDone) {
		fmt.Fprintln(os.Stderr, "harness:", printable(err.Error()))
	}
	return code
}

// endLate ends the process of an interrupted command that does not stop in time, for instance because it
// waits for a file or pipe that nobody writes or reads, or makes a solver of a large formula: there no context
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

// stopped replaces the error of a command that was interrupted or ran out of memory by one that says how far
// it got, unless the command has already said so.
func stopped(ctx context.Context, err error) error {
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
