//go:build !js

package system

import (
	"context"
	"time"
)

// Pause returns how long to wait before the next check of memory while used of limit bytes are in use. A
// process that takes 8 GiB/s, as two threads can, is noticed before it exceeds the limit by much; a
// process far from its limit is hardly disturbed.
func Pause(used, limit uint64) time.Duration {
	const fastest = 8 << 30 / uint64(time.Second) // bytes per nanosecond
	left := limit - min(used, limit)
	return min(max(time.Duration(left/fastest), 10*time.Millisecond), 100*time.Millisecond)
}

// Watch checks the memory of this process and of its descendants until ctx ends. If it has grown by more
// than limit bytes since Watch was called, Watch calls out once with the growth in bytes, and returns. It
// checks often enough to notice memory that a process touches after mapping it, but not a single large
// mapping that the system refuses at once.
func Watch(ctx context.Context, limit uint64, out func(used uint64)) {
	before := Used()
	for used := uint64(0); ; {
		select {
		case <-ctx.Done():
			return
		case <-time.After(Pause(used, limit)):
		}
		used = Used()
		if used -= min(used, before); used > limit {
			out(used)
			return
		}
	}
}
