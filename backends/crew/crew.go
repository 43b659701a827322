package crew

import (
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Each calls do for each number below n, at most workers at a time, starting them in
// ascending order. It returns the error of the lowest number that failed, and starts
// no more calls after an error.
func Each(workers, n int, do func(i int) error) error {
	return Hire(workers, n, func(int) func(i int) error { return do })
}

// Hire is [Each] for workers that have something of their own: hire is called once for each
// of them, numbered from 0, and returns what that worker calls, for ascending numbers.
func Hire(workers, n int, hire func(worker int) (do func(i int) error)) error {
	if min(workers, n) < 2 {
		do := hire(0)
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
	work := func(do func(i int) error) {
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
	dos := make([]func(i int) error, min(workers, n))
	for k := range dos {
		dos[k] = hire(k)
	}
	var wait sync.WaitGroup
	for _, do := range dos[1:] {
		wait.Go(func() { work(do) })
	}
	work(dos[0])
	wait.Wait()
	return Raise(first)
}

// raised is a panic on its way to the caller.
type raised struct {
	value any
	stack []byte
}

func (r *raised) Error() string { return fmt.Sprintf("panic: %v\n\n%s", r.value, r.stack) }

// Try calls do in a goroutine that nothing else guards: a panic becomes an error, which
// [Raise] turns back into a panic.
func Try(do func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &raised{value, debug.Stack()}
		}
	}()
	return do()
}

// Raise panics with the original value if err is a panic that [Try] caught; it
// returns any other error unchanged.
func Raise(err error) error {
	if r, is := err.(*raised); is {
		panic(r.value)
	}
	return err
}
