//go:build !js

package system

import (
	"context"
	"runtime/debug"
	"time"
)

// Pause returns how long to wait before the next check of memory while used of limit bytes are in use. A
// process that takes 8 GiB/s, as two threads can, is noticed before it exceeds the limit by much; a
// process far from its limit is hardly disturbed.
func Pause(used, limit uint64) time.Duration { return max(pause(used, limit), whole) }

// The time between two checks is at least pulse. A check of a whole tree of processes takes twenty times as long
// as one of this process alone, so at least whole lies between two of these.
const (
	pulse = 2 * time.Millisecond
	whole = 10 * time.Millisecond
)

// pause is [Pause] for a process alone.
func pause(used, limit uint64) time.Duration {
	const fastest = 8 << 30 / uint64(time.Second) // bytes per nanosecond
	left := limit - min(used, limit)
	return min(max(time.Duration(left/fastest), pulse), 100*time.Millisecond)
}

// Watch checks the memory of this process and of its descendants until ctx ends. If they use more than limit bytes, Watch collects the
// garbage, which a busy machine may leave for a second. If that frees less than a sixteenth, or memory grows by another eighth
// meanwhile, it calls out once with the memory in use, in bytes, and returns. It looks first when the limit could be
// reached at the earliest, and often enough to notice memory that a process touches after mapping it, but not a single large mapping
// that the system refuses at once.
func Watch(ctx context.Context, limit uint64, out func(used uint64)) {
	used, others, next := uint64(0), uint64(0), time.Now()
	var collecting chan struct{} // closed at its end; nil if there is no need
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause(used, limit)):
		}
		own := ownMemory()
		if now := time.Now(); !now.Before(next) {
			all := Used()
			others, next = all-min(all, own), now.Add(whole)
		}
		used = own + others
		least, collected := limit, false
		select {
		case <-collecting:
			least, collected = least-limit/16, true
		default:
		}
		switch {
		case used > limit+limit/8, collected && used > least:
			out(used)
			return
		case collected:
			collecting = nil
		case used > least && collecting == nil:
			collecting = make(chan struct{})
			go func() {
				defer close(collecting)
				debug.FreeOSMemory()
			}()
		}
	}
}
