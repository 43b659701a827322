package bdd

import (
	"fmt"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// each calls do for each number below n, at most workers at a time, starting them in
// ascending order. It starts no more calls after an error, and returns the first one. A panic
// of a worker becomes the caller's, who may recover from it; in a goroutine it would end the program.
func each(workers, n int, do func(i int) error) error {
	var (
		g      errgroup.Group
		next   atomic.Int64
		caught atomic.Value
		work   = func() error {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				if err := do(i); err != nil {
					next.Store(int64(n))
					return err
				}
			}
			return nil
		}
	)
	if workers = min(workers, n); workers < 2 {
		return work()
	}
	for range workers {
		g.Go(func() error {
			defer func() {
				if cause := recover(); cause != nil {
					next.Store(int64(n))
					caught.CompareAndSwap(nil, fmt.Sprint(cause))
				}
			}()
			return work()
		})
	}
	err := g.Wait()
	if cause := caught.Load(); cause != nil {
		panic(cause)
	}
	return err
}
