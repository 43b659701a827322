package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"queens/experiments/spec"
	"queens/system"
)

// memoryFlag is --memory: the most memory that a command may use, besides what the program
// takes when idle and some slack for garbage that is collected late.
type memoryFlag struct {
	asked spec.Bytes // 0: a share of the free memory
	free  uint64     // free memory when the command began; 0: unknown
}

const slack = 48 << 20

var _ pflag.Value = (*memoryFlag)(nil)

// Set implements [pflag.Value].
func (f *memoryFlag) Set(text string) error { return f.asked.UnmarshalText([]byte(text)) }

// Type implements [pflag.Value].
func (f *memoryFlag) Type() string { return "memory" }

// String implements [pflag.Value]: empty for the default.
func (f *memoryFlag) String() string {
	if f.asked == 0 {
		return ""
	}
	return f.asked.String()
}

func (f *memoryFlag) register(cmd *cobra.Command) {
	cmd.Flags().Var(f, "memory",
		"most memory to use, as in 512MiB or 4GiB (default: three quarters of the free memory)")
}

// bounded adds --memory to a command that does not use the limit itself: it is only stopped
// at the limit.
func bounded(cmd *cobra.Command) *cobra.Command {
	new(memoryFlag).register(cmd)
	return cmd
}

// bytes returns the effective limit: what was asked for, but at most 7/8 of the free memory.
func (f *memoryFlag) bytes() int64 {
	limit := uint64(f.asked)
	if f.free > 0 {
		if share := f.free - f.free/8; limit > share {
			limit = share
		}
		if f.asked == 0 {
			limit = f.free - f.free/4
		}
	}
	if limit == 0 {
		return 8 << 30 // neither is known
	}
	return int64(min(limit, math.MaxInt64))
}

// origin explains where the limit comes from.
func (f *memoryFlag) origin() string {
	switch {
	case f.free > 0 && uint64(f.asked) > f.free-f.free/8:
		return fmt.Sprintf("--memory is %s, but only %s is free", f.asked, amount(int64(f.free)))
	case f.asked > 0:
		return fmt.Sprintf("--memory is %s", f.asked)
	case f.free > 0:
		return fmt.Sprintf("three quarters of the %s that is free; --memory sets another", amount(int64(f.free)))
	}
	return "--memory sets another"
}

// need returns an error if a command is about to exceed its limit.
func (f *memoryFlag) need(bytes int64, what string) error {
	if limit := f.bytes(); bytes > limit {
		return exit(runsFailed, fmt.Errorf("%s needs at least %s of memory, and the limit is %s: %s",
			what, amount(bytes), amount(limit), f.origin()))
	}
	return nil
}

// amount formats an amount of memory in GiB, or much smaller ones in MiB or KiB.
func amount(bytes int64) string {
	for _, unit := range []struct {
		bytes int64
		name  string
	}{{1 << 30, "GiB"}, {1 << 20, "MiB"}} {
		if bytes >= unit.bytes/10 {
			return fmt.Sprintf("%.3g %s", float64(bytes)/float64(unit.bytes), unit.name)
		}
	}
	return fmt.Sprintf("%.3g KiB", float64(bytes)/(1<<10))
}

// guarded starts watching the memory of a command that has --memory. When memory runs out,
// the command's context ends with an *outOfMemory as its cause; a command that does not stop
// in time is ended.
func guarded(cmd *cobra.Command) {
	flag := cmd.Flags().Lookup("memory")
	if flag == nil {
		return
	}
	f := flag.Value.(*memoryFlag)
	f.free = system.Free()
	limit := f.bytes()
	debug.SetMemoryLimit(min(debug.SetMemoryLimit(-1), limit+slack))
	ctx, cancel := context.WithCancelCause(cmd.Context())
	cmd.SetContext(ctx)
	go system.Watch(ctx, uint64(limit+slack), func(used uint64) {
		ran := &outOfMemory{fmt.Sprintf("memory ran out: %s used, and the limit is %s: %s",
			amount(int64(used)), amount(limit), f.origin())}
		if used <= uint64(limit) {
			ran.reason = fmt.Sprintf("memory ran out: %s used, and almost none is left free", amount(int64(used)))
		}
		cancel(ran)
		const grace = 500 * time.Millisecond // to save its work and say how far it got
		gone, stop := context.WithTimeout(context.Background(), grace)
		defer stop()
		system.Watch(gone, uint64(limit/4), func(uint64) {})
		fmt.Fprintf(os.Stderr, "harness: %v; stopped %s\n", ran, progressOf(ctx).came())
		os.Exit(runsFailed)
	})
}

// outOfMemory ends a command's context when memory has run out.
type outOfMemory struct{ reason string }

func (e *outOfMemory) Error() string { return e.reason }

// ranOut replaces the error of a command that ran out of memory by one that says so and how
// far the command got.
func ranOut(cmd *cobra.Command, err error) error {
	var ran *outOfMemory
	if err == nil || cmd == nil || cmd.Context() == nil || !errors.As(context.Cause(cmd.Context()), &ran) {
		return err
	}
	if _, came, told := strings.Cut(err.Error(), "interrupted: "); told {
		return exit(runsFailed, fmt.Errorf("%w; %s", ran, came))
	}
	return exit(runsFailed, fmt.Errorf("%w; stopped %s", ran, progressOf(cmd.Context()).came()))
}

// supervisedBy is the environment variable that tells a supervised program that its standard
// error is file 3; see supervise.
const supervisedBy = "HARNESS_STDERR_AT_3"

// supervise runs a command that has --memory as a child process if the system limits how much
// a process may map (ulimit -v): when a mapping is refused, the Go runtime ends the program
// with a stack trace, which the program itself cannot suppress. The child writes its errors to
// file 3, so whatever arrives on file 2 is from the runtime. It returns false if there is
// nothing to supervise.
func supervise(root *cobra.Command, args []string) (code int, done bool) {
	if !system.LimitedMaps() {
		return 0, false
	}
	if os.Getenv(supervisedBy) != "" {
		os.Unsetenv(supervisedBy)
		os.Stderr = os.NewFile(3, "/dev/stderr")
		root.SetErr(os.Stderr)
		return 0, false
	}
	cmd, _, err := root.Find(args)
	if err != nil || cmd.Flags().Lookup("memory") == nil {
		return 0, false
	}
	exe, err := os.Executable()
	if err != nil {
		return 0, false
	}
	var trace head
	child := exec.Command(exe)
	child.Args = os.Args
	child.Stdin, child.Stdout, child.Stderr = os.Stdin, os.Stdout, &trace
	child.ExtraFiles = []*os.File{os.Stderr}
	child.Env = append(os.Environ(), supervisedBy+"=1")
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	defer signal.Stop(signals)
	tree, err := system.Start(child, 0)
	if err != nil {
		fmt.Fprintln(os.Stderr, "harness:", err)
		return 1, true
	}
	defer tree.Close()
	go func() {
		for s := range signals {
			_ = child.Process.Signal(s)
		}
	}()
	_ = child.Wait()
	text := trace.text.String()
	for _, refused := range []string{
		"out of memory", "cannot allocate memory", "failed to reserve", "failed to create new OS thread",
		"pthread_create failed",
	} {
		if strings.Contains(text, refused) {
			fmt.Fprintln(os.Stderr, "harness: memory ran out: the system refused more (see ulimit -v and -d); a "+
				"smaller --memory stops earlier")
			return runsFailed, true
		}
	}
	_, _ = io.WriteString(os.Stderr, text)
	if code := child.ProcessState.ExitCode(); code >= 0 {
		return code, true
	}
	fmt.Fprintln(os.Stderr, "harness: ended by a signal:", system.Signal(child.ProcessState))
	return 1, true
}

// head keeps the first MiB of what is written to it.
type head struct{ text bytes.Buffer } // not embedded: its ReadFrom would read without a limit

func (h *head) Write(p []byte) (int, error) {
	const most = 1 << 20
	h.text.Write(p[:min(len(p), most-h.text.Len())])
	return len(p), nil
}
