package bdd

import (
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// each calls do for each number below n, at most workers at a time, starting them in
// ascending order. It starts no more calls after an error, and returns the first one.
func each(workers, n int, do func(i int) error) error {
	var (
		g    errgroup.Group
		next atomic.Int64
		work = func() error {
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
		g.Go(work)
	}
	return g.Wait()
}
