package crew

import (
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Each calls do for each number below n, so many at a time, in rising order of their
// beginning. It returns the error of the lowest number that had one, and begins no
// further ones after an error.
func Each(workers, n int, do func(i int) error) error {
	if min(workers, n) < 2 {
		for i := range n {
			if err := do(i); err != nil {
				return err
			}
		}
		return nil
	}
	var (
		next   atomic.Int64
		failed atomic.Int64 // the lowest number that failed, n while none has
		mutex  sync.Mutex
		first  error
	)
	failed.Store(int64(n))
	work := func() {
		for i := next.Add(1) - 1; i < int64(n) && failed.Load() == int64(n); i = next.Add(1) - 1 {
			if err := Try(func() error { return do(int(i)) }); err != nil {
				mutex.Lock()
				if i < failed.Load() {
					failed.Store(i)
					first = err
				}
				mutex.Unlock()
			}
		}
	}
	var wait sync.WaitGroup
	for range min(workers, n) - 1 {
		wait.Go(work)
	}
	work()
	wait.Wait()
	return Raise(first)
}

// raised is a panic on its way to the caller.
type raised struct {
	value any
	stack []byte
}

func (r *raised) Error() string { return fmt.Sprintf("panic: %v\n\n%s", r.value, r.stack) }

// Try calls do for a goroutine that nobody guards: a panic becomes an error, which [Raise]
// turns back.
func Try(do func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &raised{value, debug.Stack()}
		}
	}()
	return do()
}

// Raise panics, with the same value, when the error is a panic that [Try] caught; it
// returns any other error as it is.
func Raise(err error) error {
	if r, is := err.(*raised); is {
		panic(r.value)
	}
	return err
}
