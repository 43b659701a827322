//go:build unix

package system

import (
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"
)

// NotifyStop returns a channel that tells when this process is asked to stop, as by Ctrl-Z, instead of
// stopping it, until end is called.
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

// stop stops this process and returns when it is continued. The kernel may stop other threads first, so the
// call alone proves nothing.
func stop() {
	continued := make(chan os.Signal, 1)
	signal.Notify(continued, syscall.SIGCONT)
	defer signal.Stop(continued)
	if syscall.Kill(os.Getpid(), syscall.SIGSTOP) == nil {
		<-continued
	}
}

// CountStops returns how long this process has been stopped since the call because somebody asked it to, as
// [tree.StopTogether] does.
func CountStops() func() time.Duration {
	asked, _ := NotifyStop()
	began := time.Now()
	var total, since atomic.Int64 // since: when the present stop began; 0 for none
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
