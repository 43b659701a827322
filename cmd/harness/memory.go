package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"queens/internal/param"
	"queens/internal/system"
)

// The parts of --memory that are the program's. What stops at a limit of its own, as a diagram does, gets the rest.
const (
	own  = 32 << 20 // of the program as a whole: its pages, small things, and garbage that is not collected yet
	text = 24 << 20 // of the pages of its file, which are not Go's
)

// least is the smallest limit that can be held; a smaller one limits diagrams only.
const least = 2 * own

// room returns how much of the limit a diagram or another large structure may take, in bytes.
func (w *work) room() int64 { return max(w.limit-own, min(w.limit, own)) }

// roomy says where the limit comes from, and what the program keeps of it if [work.room] is much less.
func (w *work) roomy() string {
	if w.limit-w.room() <= w.limit/16 {
		return w.origin
	}
	return fmt.Sprintf("%s, of which %s are for the program itself", w.origin, amount(own))
}

// addMemory adds --memory, the most memory that a command may use.
func addMemory(cmd *cobra.Command) {
	cmd.Flags().TextVar(new(param.Bytes), "memory", param.Bytes(0), "most `memory` to use, as in 512MiB or 4GiB (default: "+
		"half of the free memory, or all but a quarter and 2 GiB if that is more)")
	cmd.Flags().Lookup("memory").DefValue = ""
}

// restrict sets the memory limit at the start of a command. asked is the value of --memory, in bytes (0: the
// default), and free is the free memory (0: unknown). The default leaves room for other programs: a command
// that took all but a quarter of 24 GiB would make the system drop their pages, and everything would stall.
func (w *work) restrict(asked param.Bytes, free uint64) {
	limit := uint64(asked)
	w.origin = fmt.Sprintf("--memory is %s", asked)
	switch most := free - free/8; {
	case free == 0 && limit == 0:
		limit, w.origin = 8<<30, "--memory sets another"
	case limit == 0:
		limit = max(free/2, most-min(most, free/8+2<<30))
		w.origin = fmt.Sprintf("a part of the %s that is free; --memory sets another", amount(free))
	case free > 0 && limit > most:
		limit, w.origin = most, fmt.Sprintf("%s, but only %s is free", w.origin, amount(free))
	}
	w.limit = int64(min(limit, math.MaxInt64))
}

// amount formats an amount of memory in GiB, or a much smaller one in MiB or KiB.
func amount(bytes uint64) string {
	for _, unit := range []struct {
		bytes uint64
		name  string
	}{{1 << 30, "GiB"}, {1 << 20, "MiB"}} {
		if bytes >= unit.bytes/10 {
			return fmt.Sprintf("%.3g %s", float64(bytes)/float64(unit.bytes), unit.name)
		}
	}
	return fmt.Sprintf("%.3g KiB", float64(bytes)/(1<<10))
}

// guard limits the memory of a command to --memory and watches it. When memory runs out, the returned context
// ends with an *outOfMemory as its cause. If the command does not stop in time, or goes on taking memory, the
// process exits. A command that grows ends some 10 MiB above the limit: that is what it takes between two looks, and
// until it stops. Garbage ends no command.
func guard(ctx context.Context, flag *pflag.Flag) context.Context {
	w := workOf(ctx)
	var asked param.Bytes
	if flag.Changed {
		_ = asked.UnmarshalText([]byte(flag.Value.String())) // the flag has already accepted it
	}
	w.restrict(asked, system.Free())
	most := max(w.limit, least)
	debug.SetMemoryLimit(min(debug.SetMemoryLimit(-1), most-text))
	collectLate(min(firstHeap, w.limit/8))
	ctx, cancel := context.WithCancelCause(ctx)
	go system.Watch(ctx, uint64(most), func(used uint64) {
		ran := &outOfMemory{fmt.Sprintf("memory ran out: %s used, and the limit is %s: %s", amount(used),
			amount(uint64(w.limit)), w.origin)}
		cancel(ran)
		// Time to save its work and say how far it got. Where no context reaches, it may take gigabytes meanwhile.
		const more = 4 << 20
		for last := time.Now().Add(500 * time.Millisecond); time.Now().Before(last) && system.Used() < used+more; {
			time.Sleep(time.Millisecond)
		}
		fmt.Fprintf(os.Stderr, "harness: %v; stopped %s\n", ran, w.came())
		system.Exit(runsFailed)
	})
	return ctx
}

// firstHeap is the size of the heap at the first garbage collection, in bytes. With Go's own, 4 MiB, reading a formula of a
// megabyte takes several collections, and these a third of the time of a question about it.
const firstHeap = 16 << 20

// collectLate lets the first garbage collection wait until the heap has a size; later ones come as usual. It leaves a
// user's GOGC as it is.
func collectLate(heap int64) {
	const usual = 4 << 20 // the size at 100 percent
	if _, set := os.LookupEnv("GOGC"); set || heap <= usual {
		return
	}
	percent := debug.SetGCPercent(int(100 * heap / usual))
	runtime.AddCleanup(new([64]byte), func(percent int) { debug.SetGCPercent(percent) }, percent) // runs after the first
}

// outOfMemory is the cause of a context that ends because memory ran out.
type outOfMemory struct{ reason string }

func (e *outOfMemory) Error() string { return e.reason }
