package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"queens/system"
)

// stuckFor is how long a command that was interrupted may do nothing at all.
const stuckFor = 2 * time.Second

// endStuck ends a command that was interrupted and cannot end by itself: it waits for a
// pipe that nobody reads, or for a file that nobody writes, and no context reaches into
// that. Who still works uses a processor, and is let be. So is the server, which waits
// for its clients for a time that it bounds itself.
func endStuck(ctx context.Context, root *cobra.Command, args []string) {
	if cmd, _, err := root.Find(args); err == nil && cmd.Name() == "serve" {
		return
	}
	context.AfterFunc(ctx, func() {
		last, since := used(), time.Now()
		for time.Since(since) < stuckFor {
			time.Sleep(stuckFor / 20)
			if now := used(); now-last > stuckFor/200 {
				last, since = now, time.Now()
			}
		}
		fmt.Fprintln(os.Stderr, "harness: interrupted: it waited for a file, pipe or terminal")
		os.Exit(interrupted)
	})
}

// used is the processor time of this process so far.
func used() time.Duration {
	user, kernel := system.ProcessorTime()
	return user + kernel
}
