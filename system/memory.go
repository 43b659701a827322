package system

import (
	"context"
	"time"
)

// Watch checks the memory of this process and of its descendants until ctx ends. If it has
// grown by more than limit bytes since Watch was called, or the system has almost no free
// memory left, Watch calls out once with the growth in bytes, and returns. It checks often
// enough to notice memory that a process touches after mapping it, but not a single mapping
// that the system refuses at once.
func Watch(ctx context.Context, limit uint64, out func(used uint64)) {
	const often, rarely = 20 * time.Millisecond, 10 // free memory is checked at every rarely-th tick
	before := Used()
	tick := time.NewTicker(often)
	defer tick.Stop()
	for i := 1; ; i++ {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		used := Used()
		if used < before {
			continue
		}
		used -= before
		if used <= limit && (i%rarely != 0 || used < limit/8) {
			continue
		}
		if left := Free(); used > limit || left > 0 && left < limit/32 {
			out(used)
			return
		}
	}
}
