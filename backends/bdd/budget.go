package bdd

import (
	"fmt"
	"math"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"queens/backends"
)

// budget counts the bytes in use, across several workers, against a limit.
type budget struct {
	mutex             sync.Mutex
	limit, used, peak int64
	progress          func(backends.Progress) // may be nil
}

func (b *budget) take(bytes int64) error {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if b.limit > 0 && b.used+bytes > b.limit {
		return &backends.LimitError{What: "bytes", Limit: b.limit, Want: b.used + bytes}
	}
	b.used += bytes
	b.peak = max(b.peak, b.used)
	return nil
}

func (b *budget) give(bytes int64) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.used -= bytes
}

// foresee returns an error if free-set's states, given as totals after each of the first levels, grow so
// fast that the construction would far exceed the limit. It judges only once an eighth of the limit is
// used, and only in the upper half of the levels, since the number of states per level usually falls
// below that. It measures the growth over the last quarter of the levels passed, and assumes that the
// growth falls evenly to nothing at the half. Constructions that fit stay at least a factor of ten below
// its threshold.
func (b *budget) foresee(totals []uint64, levels int) error {
	last := len(totals) - 1
	if b.limit == 0 || b.used < max(foreseen, b.limit/8) || last >= levels/2 || last < 4 {
		return nil
	}
	from := last - last/4
	growth := math.Pow(float64(totals[last])/float64(max(1, totals[from])), 1/float64(last-from))
	want := float64(b.used) * math.Pow(growth, float64(levels/2-last)/2)
	if want < 16*float64(b.limit) {
		return nil
	}
	return fmt.Errorf("free-set would need far more memory under this order: after level %d of %d there are %d states, "+
		"%.3g times as many with each level: %w",
		last+1, levels, totals[last], growth,
		&backends.LimitError{What: "bytes", Limit: b.limit, Want: int64(min(want, 1<<62))})
}

// foreseen is the number of bytes that must be in use before foresee judges.
const foreseen = 1 << 18

// tell reports the progress to the caller, if the caller wants it.
func (b *budget) tell(step string, done, total int, items uint64, unit string) {
	if b.progress != nil {
		b.progress(backends.Progress{Step: step, Done: done, Total: total, Items: items, Unit: unit})
	}
}

// each calls do for each number below n, on at most the given number of workers at a time, in ascending
// order. After an error it starts no more calls; it returns the first error. A panic in a worker is
// raised again in the caller, who may recover from it; in a goroutine it would end the program.
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
