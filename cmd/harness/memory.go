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
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"queens/experiments/spec"
	"queens/system"
)

// memoryFlag is --memory: the most that a command may take of memory. What it takes
// without any work, and slack for what is collected late, come on top.
type memoryFlag struct {
	asked spec.Bytes // 0: a share of what is free
	free  uint64     // when the command began; 0: not known
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
	cmd.Flags().Var(f, "memory", "most memory to use, as in 512MiB or 4GiB (default: three quarters of what is free)")
}

// bounded gives --memory to a command that has no more to do with it than to end there.
func bounded(cmd *cobra.Command) *cobra.Command {
	new(memoryFlag).register(cmd)
	return cmd
}

// bytes is the limit that holds: what was asked for, but never beyond what is free.
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
		return 8 << 30 // nothing is known
	}
	return int64(min(limit, math.MaxInt64))
}

// origin says where the limit comes from.
func (f *memoryFlag) origin() string {
	switch {
	case f.free > 0 && uint64(f.asked) > f.free-f.free/8:
		return fmt.Sprintf("--memory is %s, but %s are free here", f.asked, amount(int64(f.free)))
	case f.asked > 0:
		return fmt.Sprintf("--memory is %s", f.asked)
	case f.free > 0:
		return fmt.Sprintf("that is the share of the %s free here; --memory sets another", amount(int64(f.free)))
	}
	return "--memory sets another"
}

// need reports that a command is about to take more than it may.
func (f *memoryFlag) need(bytes int64, what string) error {
	if limit := f.bytes(); bytes > limit {
		return exit(runsFailed, fmt.Errorf("%s takes %s of memory at least, and the limit is %s: %s",
			what, amount(bytes), amount(limit), f.origin()))
	}
	return nil
}

// amount writes an amount of memory for people: in GiB, and what is far less in MiB or KiB.
func amount(bytes int64) string {
	for _, unit := range []struct {
		bytes int64
		name  string
	}{{1 << 30, "GiB"}, {1 << 20, "MiB"}} {
		if bytes >= unit.bytes/20 {
			return fmt.Sprintf("%.3g %s", float64(bytes)/float64(unit.bytes), unit.name)
		}
	}
	return fmt.Sprintf("%.3g KiB", float64(bytes)/(1<<10))
}

// guarded begins to watch over the memory of a command that has --memory. The command's
// context ends when memory runs out, with an *outOfMemory for its cause; a command that
// does not notice is ended.
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
			ran.reason = fmt.Sprintf("memory ran out: %s used, and almost nothing is left free", amount(int64(used)))
		}
		cancel(ran)
		const grace = 500 * time.Millisecond // to say how far it came, and to keep it
		gone, stop := context.WithTimeout(context.Background(), grace)
		defer stop()
		system.Watch(gone, uint64(limit/4), func(uint64) {})
		fmt.Fprintf(os.Stderr, "harness: %v; that was %s\n", ran, progressOf(ctx).came())
		os.Exit(runsFailed)
	})
}

// outOfMemory ends a command's context when memory has run out.
type outOfMemory struct{ reason string }

func (e *outOfMemory) Error() string { return e.reason }

// ranOut turns the error of a command whose memory ran out into one that says so, and
// adds how far it came if it told.
func ranOut(cmd *cobra.Command, err error) error {
	var ran *outOfMemory
	if err == nil || cmd == nil || cmd.Context() == nil || !errors.As(context.Cause(cmd.Context()), &ran) {
		return err
	}
	if _, came, told := strings.Cut(err.Error(), "interrupted: "); told {
		return exit(runsFailed, fmt.Errorf("%w; %s", ran, came))
	}
	return exit(runsFailed, fmt.Errorf("%w; that was %s", ran, progressOf(cmd.Context()).came()))
}

// supervisedBy is the environment variable by which a supervised program knows the file
// of its standard error; see supervise.
const supervisedBy = "HARNESS_STDERR_AT_3"

// supervise runs a command that has --memory as a child of this process, where the
// system bounds what a process may map (ulimit -v): there the Go runtime ends a program
// that is refused a mapping, with a stack trace that nothing inside it can keep back.
// The child's standard error is handed down as file 3, and what comes by file 2 is the
// runtime's. It reports false when there is nothing to supervise.
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
	text := trace.String()
	for _, refused := range []string{"out of memory", "cannot allocate memory", "failed to reserve", "failed to create new OS thread", "pthread_create failed"} {
		if strings.Contains(text, refused) {
			fmt.Fprintln(os.Stderr, "harness: memory ran out: the system refuses more (see ulimit -v and -d); a smaller --memory ends earlier")
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

// head keeps the beginning of what is written to it.
type head struct {
	mutex sync.Mutex
	bytes.Buffer
}

func (h *head) Write(p []byte) (int, error) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	const most = 1 << 20
	if h.Len() < most {
		h.Buffer.Write(p)
	}
	return len(p), nil
}
