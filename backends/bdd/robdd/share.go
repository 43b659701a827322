package robdd

import (
	"sync"
	"sync/atomic"
)

// share calls do for each number below n, so many at a time, in rising order of their
// beginning.
func share(workers, n int, do func(i int)) {
	if min(workers, n) < 2 {
		for i := range n {
			do(i)
		}
		return
	}
	var next atomic.Int64
	work := func() {
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			do(i)
		}
	}
	var wait sync.WaitGroup
	for range min(workers, n) - 1 {
		wait.Go(work)
	}
	work()
	wait.Wait()
}
