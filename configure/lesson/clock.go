package lesson

import (
	"context"
	"time"
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
