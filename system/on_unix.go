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

// ProcessorTime is what this process has used in user mode and in the kernel. The
// children that it has waited for are included.
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

// Name is the operating system, its version and the processor's architecture.
func Name() string {
	var u unix.Utsname
	if err := unix.Uname(&u); err != nil {
		return runtime.GOOS + " " + runtime.GOARCH
	}
	return fmt.Sprintf("%s %s %s", unix.ByteSliceToString(u.Sysname[:]), unix.ByteSliceToString(u.Release[:]),
		runtime.GOARCH)
}

// ReplacesOpen says whether a file that is open can be replaced by another.
const ReplacesOpen = true

// Replace writes the file whole or not at all: a reader sees the old content or the
// new. A file that is there keeps its mode. An error of write leaves what was there.
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

// Lock keeps other processes from locking the file until it is closed. The error
// is [ErrLocked] when one has it already.
func Lock(f *os.File) error {
	err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return ErrLocked
	}
	return err
}
