package contexttest

import (
	"context"
	"sync"
	"time"
)

// Ending is a context that ends once its error has been asked for a number of times.
type Ending struct {
	context.Context
	done     chan struct{}
	deadline time.Time // zero if there is none
	reason   error     // why it ends
	mu       sync.Mutex
	left     int // how many times more; negative if it has been asked after its end
}

// After returns a context that is canceled after its error has been asked for times times.
func After(times int) *Ending {
	return &Ending{Context: context.Background(), left: times, done: make(chan struct{}), reason: context.Canceled}
}

// Late returns a context whose deadline has passed, but whose timer is late, as on a busy machine: it ends after its
// error has been asked for times times.
func Late(times int) *Ending {
	e := After(times)
	e.deadline, e.reason = time.Now(), context.DeadlineExceeded
	return e
}

// Deadline implements context.Context.
func (e *Ending) Deadline() (time.Time, bool) { return e.deadline, !e.deadline.IsZero() }

// Err implements context.Context.
func (e *Ending) Err() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.left--; e.left == -1 {
		close(e.done)
	}
	if e.left < 0 {
		return e.reason
	}
	return nil
}

// Left returns how many times more it can be asked for its error; it is negative if it has been asked after its end.
func (e *Ending) Left() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.left
}

// Done implements context.Context. Its channel is closed when the error is first seen.
func (e *Ending) Done() <-chan struct{} { return e.done }
