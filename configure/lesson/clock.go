package lesson

import (
	"context"
	"slices"
	"time"
)

// What is timed is repeated this many times, or for this long.
const (
	repeats    = 5
	repeatTime = 150 * time.Millisecond
)

// clock is a context whose Err reports a passed deadline even if no timer could
// fire: WebAssembly has one thread, and a loop that does not yield would never
// see its time run out.
type clock struct {
	context.Context
	deadline time.Time
}

// Err implements context.Context.
func (c clock) Err() error {
	if err := c.Context.Err(); err != nil {
		return err
	}
	if !time.Now().Before(c.deadline) {
		return context.DeadlineExceeded
	}
	return nil
}

// WithTimeout is context.WithTimeout for work on any thread: Err looks at the clock,
// so even a loop that never yields sees its time run out.
func WithTimeout(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	inner, cancel := context.WithTimeout(ctx, d)
	deadline, _ := inner.Deadline() // always set by WithTimeout
	return clock{inner, deadline}, cancel
}

// Seconds returns the seconds since start.
func Seconds(start time.Time) float64 { return time.Since(start).Seconds() }

// repeated adds the times of further runs to the given ones, all in seconds, and returns their median and
// number. It stops after a while, or at an error, such as the end of a time limit.
func repeated(times []float64, run func() (float64, error)) (float64, int) {
	for begun := time.Now(); len(times) < repeats && time.Since(begun) < repeatTime; {
		took, err := run()
		if err != nil {
			break
		}
		times = append(times, took)
	}
	return median(times), len(times)
}

// median returns the middle value, 0 if there is none. It sorts in place.
func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	return values[len(values)/2]
}
