package contexttest

import (
	"context"
	"sync"
)

// Ending is a context that is canceled once its error has been asked for a number of times.
type Ending struct {
	context.Context
	done chan struct{}
	mu   sync.Mutex
	left int // how many times more; negative if it has been asked after its end
}

// After returns a context that ends after its error has been asked for times times.
func After(times int) *Ending {
	return &Ending{Context: context.Background(), left: times, done: make(chan struct{})}
}

// Err implements context.Context.
func (e *Ending) Err() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.left--; e.left == -1 {
		close(e.done)
	}
	if e.left < 0 {
		return context.Canceled
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
