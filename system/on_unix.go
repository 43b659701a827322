//go:build unix

package system

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"time"

	"github.com/google/renameio/v2"
	"golang.org/x/sys/unix"
)

// ProcessorTime returns the time that this process has used in user mode and in the kernel,
// including the children that it has waited for.
func ProcessorTime() (user, kernel time.Duration) {
	for _, who := range []int{unix.RUSAGE_SELF, unix.RUSAGE_CHILDREN} {
		var r unix.Rusage
		if unix.Getrusage(who, &r) == nil {
			user += time.Duration(r.Utime.Nano())
			kernel += time.Duration(r.Stime.Nano())
		}
	}
	return user, kernel
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

// ReplacesOpen reports whether an open file can be replaced by another.
const ReplacesOpen = true

// Replace writes the file atomically: a reader sees either the old content or the new. An
// existing file keeps its mode. If write returns an error, the file is unchanged.
func Replace(path string, mode os.FileMode, write func(io.Writer) error) error {
	f, err := renameio.NewPendingFile(path, renameio.WithPermissions(mode), renameio.WithExistingPermissions())
	if err != nil {
		return err
	}
	defer f.Cleanup()
	if err := write(f); err != nil {
		return err
	}
	return f.CloseAtomicallyReplace()
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
