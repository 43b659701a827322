package crew

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
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
	c := New(min(workers, n))
	defer c.Dismiss()
	return c.Hire(workers, n, hire)
}

// Crew is several workers for one caller, who calls them again and again. Waking a goroutine
// can take longer than a small task (some 50 microseconds where an idle processor has been
// halted), so between calls they stay awake for a moment.
type Crew struct {
	others []*worker // besides the caller
	last   atomic.Pointer[call]
	awake  time.Duration // how long somebody waits before going to sleep
}

// worker is one of the others.
type worker struct {
	asleep atomic.Bool
	wake   chan struct{}
}

// New returns a crew of a number of workers, the caller included. It must be dismissed.
func New(workers int) *Crew {
	c := &Crew{}
	if workers <= runtime.GOMAXPROCS(0) { // otherwise those who wait would be in the way
		c.awake = 100 * time.Microsecond
	}
	c.last.Store(&call{})
	for range workers - 1 {
		c.others = append(c.others, &worker{wake: make(chan struct{}, 1)})
	}
	for k, w := range c.others {
		go c.work(w, k+1, c.last.Load())
	}
	return c
}

// Dismiss ends the crew.
func (c *Crew) Dismiss() {
	if len(c.others) > 0 {
		c.publish(&call{quit: true})
	}
}

// Each is like the function of that name, with at most the workers of the crew.
func (c *Crew) Each(workers, n int, do func(i int) error) error {
	return c.Hire(workers, n, func(int) func(i int) error { return do })
}

// Hire is like the function of that name, with at most the workers of the crew.
func (c *Crew) Hire(workers, n int, hire func(worker int) (do func(i int) error)) error {
	workers = min(workers, n, len(c.others)+1)
	if workers < 2 {
		do := hire(0)
		for i := range n {
			if err := do(i); err != nil {
				return err
			}
		}
		return nil
	}
	t := &call{n: int64(n), done: make(chan struct{}, 1)}
	t.failed.Store(t.n)
	for k := range workers {
		t.dos = append(t.dos, hire(k))
	}
	c.publish(t)
	t.work(t.dos[0])
	if t.inside.Add(closed) != closed && !c.soon(func() bool { return t.inside.Load() == closed }) {
		<-t.done
	}
	return Raise(t.first)
}

// publish makes a call known to the workers.
func (c *Crew) publish(t *call) {
	c.last.Store(t)
	for k, w := range c.others {
		if (t.quit || k+1 < len(t.dos)) && w.asleep.CompareAndSwap(true, false) {
			w.wake <- struct{}{}
		}
	}
}

// work is what worker k does: it takes part in each call after the given one, unless the
// call ends before it comes.
func (c *Crew) work(w *worker, k int, known *call) {
	for {
		if !c.soon(func() bool { return c.last.Load() != known }) {
			w.asleep.Store(true)
			if c.last.Load() == known || !w.asleep.CompareAndSwap(true, false) {
				<-w.wake
			}
			continue
		}
		known = c.last.Load()
		if known.quit {
			return
		}
		if k < len(known.dos) && known.enter() {
			known.work(known.dos[k])
			known.leave()
		}
	}
}

// soon waits for a condition for a moment, and reports whether it came true.
func (c *Crew) soon(met func() bool) bool {
	for start := time.Now(); !met(); {
		if time.Since(start) > c.awake {
			return false
		}
	}
	return true
}

// call is a call of the crew.
type call struct {
	quit   bool
	n      int64
	dos    []func(i int) error // by worker
	next   atomic.Int64
	failed atomic.Int64 // the lowest number that failed, n while none has
	mutex  sync.Mutex
	first  error
	inside atomic.Int64  // how many others take part, plus closed when nobody may join them
	done   chan struct{} // receives when the last of the others leaves a closed call
}

const closed = 1 << 32

// work calls do for numbers that nobody has taken yet.
func (t *call) work(do func(i int) error) {
	for i := t.next.Add(1) - 1; i < t.n && t.failed.Load() == t.n; i = t.next.Add(1) - 1 {
		if err := Try(func() error { return do(int(i)) }); err != nil {
			t.mutex.Lock()
			if i < t.failed.Load() {
				t.failed.Store(i)
				t.first = err
			}
			t.mutex.Unlock()
		}
	}
}

// enter lets a worker take part, unless the call is closed.
func (t *call) enter() bool {
	for {
		inside := t.inside.Load()
		if inside >= closed {
			return false
		}
		if t.inside.CompareAndSwap(inside, inside+1) {
			return true
		}
	}
}

func (t *call) leave() {
	if t.inside.Add(-1) == closed {
		t.done <- struct{}{}
	}
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
