//go:build unix

package system

import (
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"
)

// NotifyStop returns a channel that receives when this process is asked to stop, as by Ctrl-Z. The
// process does not stop by itself until end is called.
func NotifyStop() (asked <-chan os.Signal, end func()) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGTSTP)
	return c, func() { signal.Stop(c) }
}

// StopTogether asks the tree's group to stop, stops this process, and continues the group when this process
// is continued.
func (t *tree) StopTogether() {
	_ = syscall.Kill(-t.group, syscall.SIGTSTP)
	stop()
	_ = syscall.Kill(-t.group, syscall.SIGCONT)
}

// stop stops this process and returns when it is continued. The kernel may stop other threads first, so
// the return of the call alone does not prove that the process has stopped.
func stop() {
	continued := make(chan os.Signal, 1)
	signal.Notify(continued, syscall.SIGCONT)
	defer signal.Stop(continued)
	if syscall.Kill(os.Getpid(), syscall.SIGSTOP) == nil {
		<-continued
	}
}

// CountStops starts to add up the time for which this process is stopped on request, as by
// [tree.StopTogether], and returns a function that returns the total so far.
func CountStops() func() time.Duration {
	asked, _ := NotifyStop()
	began := time.Now()
	var total, since atomic.Int64 // since: start of the current stop; 0 if there is none
	go func() {
		for range asked {
			since.Store(int64(time.Since(began)))
			stop()
			total.Add(int64(time.Since(began)) - since.Swap(0))
		}
	}()
	return func() time.Duration {
		stopped := time.Duration(total.Load())
		if now := since.Load(); now != 0 { // just continued
			stopped += time.Since(began) - time.Duration(now)
		}
		return stopped
	}
}
