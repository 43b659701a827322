// Command harness compares BDD and SAT on the N-queens problem: it runs
// experiments from YAML and reports them, and answers single questions (compile,
// valid, encode, ...) on the command line.
//
// A command has two functions: newCount makes the flags, and count, without cobra, does the work and prints
// what it found to a [console]. What commands share, such as flags, progress and limits, has a file of its own.
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
)

func main() { os.Exit(execute(os.Args[1:])) }

// execute runs one command line and returns the exit code.
func execute(args []string) int {
	if len(args) == 1 && slices.Contains([]string{"version", "--version"}, args[0]) {
		fmt.Println(version())
		return 0
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP,
		syscall.SIGQUIT)
	// The first signal asks a command to stop; a second one kills it.
	context.AfterFunc(ctx, stop)
	root := newRoot(args...)
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return 0
	}
	code := 1
	if work := workOf(cmd.Context()); work != nil {
		work.hide()
		err = interruption(cmd.Context(), err)
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
