package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"queens/system"
)

// stuckFor is how long an interrupted command may do nothing at all.
const stuckFor = 2 * time.Second

// endStuck ends a command that was interrupted but waits for a pipe that nobody reads or a
// file that nobody writes, where no context can reach it. A command that still uses a
// processor is left alone. So is the server, which itself limits how long it waits for its
// clients.
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
		fmt.Fprintln(os.Stderr, "harness: interrupted while waiting for a file, pipe or terminal")
		os.Exit(interrupted)
	})
}

// used returns the processor time of this process so far.
func used() time.Duration {
	user, kernel := system.ProcessorTime()
	return user + kernel
}
