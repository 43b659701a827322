//go:build unix

package system

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// Used returns the resident memory of this process and of its descendants, in bytes.
func Used() uint64 {
	now, _ := memoryBelow(os.Getpid())
	return now
}

// memoryBelow returns the resident memory of a process and its descendants, and its own peak.
func memoryBelow(pid int) (now, peak uint64) {
	now, peak = memoryOf(pid)
	for _, child := range children(pid) {
		below, _ := memoryBelow(child)
		now += below
	}
	return now, peak
}

// ProcessorTime returns the user and kernel time of this process, including its children. The total time
// of trees that are still running counts as user time.
func ProcessorTime() (user, kernel time.Duration) {
	for _, who := range []int{unix.RUSAGE_SELF, unix.RUSAGE_CHILDREN} {
		var r unix.Rusage
		if unix.Getrusage(who, &r) == nil {
			user += time.Duration(r.Utime.Nano())
			kernel += time.Duration(r.Stime.Nano())
		}
	}
	return user + descendantsTime(), kernel
}

func processorTimeBelow(pid int) time.Duration {
	spent := processorTimeOf(pid)
	for _, child := range children(pid) {
		spent += processorTimeBelow(child)
	}
	return spent
}

// Name returns the operating system, its version and the processor's architecture.
func Name() string {
	var u unix.Utsname
	if err := unix.Uname(&u); err != nil {
		return runtime.GOOS + " " + runtime.GOARCH
	}
	return fmt.Sprintf("%s %s %s", unix.ByteSliceToString(u.Sysname[:]), unix.ByteSliceToString(u.Release[:]),
		runtime.GOARCH)
}

// Lock keeps other processes from locking the file until it is closed. The error is
// [ErrLocked] if another process has locked it.
func Lock(f *os.File) error {
	err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return ErrLocked
	}
	return err
}
