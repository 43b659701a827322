//go:build !unix && !windows

package system

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"time"
)

// In a browser only the engine runs: there are no programs to start, no files to lock and
// no machine to describe.

var errAlone = errors.New("this system cannot start programs")

type tree struct{}

func (t *tree) start(*exec.Cmd, uint64) error { return errAlone }

// Kill does nothing: nothing has been started.
func (t *tree) Kill() {}

func (t *tree) close() {}

// Memory returns 0 for both: there is no tree.
func (t *tree) Memory() (now, peak uint64) { return 0, 0 }

// LimitData returns an error: no limit can be kept.
func LimitData(uint64) error { return errAlone }

// Lacks lists what this system cannot do for a measurement.
func Lacks() []string { return []string{"child processes", "memory limits"} }

// PeakMemory returns an error: it is unknown.
func PeakMemory() (uint64, error) { return 0, errAlone }

// ProcessorTime returns 0 for both: it is unknown.
func ProcessorTime() (user, kernel time.Duration) { return 0, 0 }

// Processor returns "unknown".
func Processor() string { return "unknown" }

// Memory returns 0: it is unknown.
func Memory() uint64 { return 0 }

// Free returns 0: it is unknown.
func Free() uint64 { return 0 }

// Name returns "browser".
func Name() string { return "browser" }

// Replace writes the file, but not atomically.
func Replace(path string, mode os.FileMode, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}

// Lock does nothing: there are no other processes.
func Lock(*os.File) error { return nil }

// ReplacesOpen reports whether an open file can be replaced.
const ReplacesOpen = true
