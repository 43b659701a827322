package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"queens/experiments/spec"
	"queens/system"
)

// memoryFlag is --memory: the most memory that a command may use, besides what the program
// takes when idle and some slack for garbage that is collected late.
type memoryFlag struct {
	spec.Bytes        // asked for; 0: see begin
	limit      int64  // what counts, once the command has begun
	origin     string // where that comes from
}

const slack = 48 << 20

var _ pflag.Value = (*memoryFlag)(nil)

// Set implements [pflag.Value].
func (f *memoryFlag) Set(text string) error { return f.UnmarshalText([]byte(text)) }

// Type implements [pflag.Value].
func (f *memoryFlag) Type() string { return "memory" }

// String implements [pflag.Value]: empty for the default.
func (f *memoryFlag) String() string {
	if f.Bytes == 0 {
		return ""
	}
	return f.Bytes.String()
}

func (f *memoryFlag) register(cmd *cobra.Command) {
	cmd.Flags().Var(f, "memory", "most memory to use, as in 512MiB or 4GiB (default: half of the free memory, or all "+
		"but a quarter and 2 GiB if that is more)")
}

// bounded adds --memory to a command that does not use the limit itself: it is only stopped
// at the limit.
func bounded(cmd *cobra.Command) *cobra.Command {
	if cmd.Flags().Lookup("memory") == nil {
		new(memoryFlag).register(cmd)
	}
	return cmd
}

// begin sets the limit when the command begins, with free bytes free (0: unknown). The default
// leaves room for what others do meanwhile: a command that takes all but a quarter of 24 GiB
// makes the system drop the other programs' pages, and everything stands still.
func (f *memoryFlag) begin(free uint64) {
	limit := uint64(f.Bytes)
	f.origin = fmt.Sprintf("--memory is %s", f.Bytes)
	switch most := free - free/8; {
	case free == 0 && limit == 0:
		limit, f.origin = 8<<30, "--memory sets another"
	case limit == 0:
		limit = max(free/2, most-min(most, free/8+2<<30))
		f.origin = fmt.Sprintf("a part of the %s that is free; --memory sets another", amount(int64(free)))
	case free > 0 && limit > most:
		limit, f.origin = most, fmt.Sprintf("%s, but only %s is free", f.origin, amount(int64(free)))
	}
	f.limit = int64(min(limit, math.MaxInt64))
}

// need returns an error if a command is about to exceed its limit.
func (f *memoryFlag) need(bytes int64, what string) error {
	if bytes > f.limit {
		return exit(runsFailed, fmt.Errorf("%s needs at least %s of memory, and the limit is %s: %s",
			what, amount(bytes), amount(f.limit), f.origin))
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
	f.begin(system.Free())
	debug.SetMemoryLimit(min(debug.SetMemoryLimit(-1), f.limit+slack))
	ctx, cancel := context.WithCancelCause(cmd.Context())
	cmd.SetContext(ctx)
	go system.Watch(ctx, uint64(f.limit+slack), func(used uint64, over bool) {
		why := fmt.Sprintf("the limit is %s: %s", amount(f.limit), f.origin)
		if !over {
			why = "the system is short of memory"
		}
		ran := &outOfMemory{fmt.Sprintf("memory ran out: %s used, and %s", amount(int64(used)), why)}
		cancel(ran)
		time.Sleep(500 * time.Millisecond) // to save its work and say how far it got
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
