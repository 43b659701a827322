package system

import (
	"context"
	"time"
)

// Watch looks at the memory of this process and of all that it has started until ctx
// ends. When that has grown by more than limit bytes since Watch was called, or almost
// nothing is left of what the system has free, it calls out, once, with what was used.
// Memory is looked at often enough for a process that touches what it maps; a single
// mapping that the system refuses comes before any look.
func Watch(ctx context.Context, limit uint64, out func(used uint64)) {
	const often, rarely = 20 * time.Millisecond, 10 // how often what is free is looked at
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
