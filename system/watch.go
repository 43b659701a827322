//go:build !js

package system

import (
	"context"
	"time"
)

// Pause returns how long to wait before looking at memory again, of which used of limit bytes
// are in use: a process that takes 8 GiB/s, as two threads can, does not exceed the limit by
// much before it is noticed, and one that is far from it is hardly disturbed.
func Pause(used, limit uint64) time.Duration {
	const fastest = 8 << 30 / uint64(time.Second) // bytes per nanosecond
	left := limit - min(used, limit)
	return min(max(time.Duration(left/fastest), 10*time.Millisecond), 100*time.Millisecond)
}

// Watch checks the memory of this process and of its descendants until ctx ends. If it has
// grown by more than limit bytes since Watch was called, or it is large and the system is
// short of memory, Watch calls out once with the growth in bytes and whether it is beyond the
// limit, and returns. It checks often enough to notice memory that a process touches after
// mapping it, but not a single mapping that the system refuses at once.
func Watch(ctx context.Context, limit uint64, out func(used uint64, over bool)) {
	before := Used()
	for used, short := uint64(0), (shortage{}); ; {
		select {
		case <-ctx.Done():
			return
		case <-time.After(Pause(used, limit)):
		}
		used = Used()
		used -= min(used, before)
		if over := used > limit; over || used > limit/8 && short.now(limit) {
			out(used, over)
			return
		}
	}
}

// shortage tells when the whole system is short of memory.
type shortage struct {
	last    time.Time     // of the last look
	stalled time.Duration // see stalled
}

// now reports whether less than a 32nd of limit is free or, since the last look, all processes
// that had work waited for memory for a tenth of the time. If the last look was less than half
// a second ago, it reports false.
func (s *shortage) now(limit uint64) bool {
	took := time.Since(s.last)
	if took < time.Second/2 {
		return false
	}
	first, before := s.last.IsZero(), s.stalled
	s.last, s.stalled = time.Now(), stalled()
	left := Free()
	return left > 0 && left < limit/32 || !first && s.stalled-before > took/10
}
