//go:build !unix && !windows

package system

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"time"
)

// A browser runs the engine alone: it starts no program, and has no files to lock and
// no machine to describe.

var errAlone = errors.New("this system starts no programs")

type tree struct{}

func (t *tree) start(*exec.Cmd, uint64) error { return errAlone }

// Kill ends nothing: nothing has been started.
func (t *tree) Kill() {}

func (t *tree) close() {}

// Memory is that of nothing.
func (t *tree) Memory() (now, peak uint64) { return 0, 0 }

// EndWith does nothing: there is no parent that could end.
func EndWith(io.Reader) {}

// Signal names none.
func Signal(*os.ProcessState) string { return "" }

// LimitData keeps no limit.
func LimitData(uint64) error { return errAlone }

// Lacks says what cannot be kept here.
func Lacks() []string { return []string{"child processes", "memory limits"} }

// PeakMemory is not told.
func PeakMemory() (uint64, error) { return 0, errAlone }

// ProcessorTime is not told.
func ProcessorTime() (user, kernel time.Duration) { return 0, 0 }

// Processor is not told.
func Processor() string { return "unknown" }

// Memory is not told: 0.
func Memory() uint64 { return 0 }

// Free is not told: 0.
func Free() uint64 { return 0 }

// LimitedMaps is not told.
func LimitedMaps() bool { return false }

// Used is what the engine holds.
func Used() uint64 { return mapped() }

// Load is not told.
func Load() string { return "unknown" }

// Name is the browser's.
func Name() string { return "browser" }

// Replace writes as it can.
func Replace(path string, mode os.FileMode, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}

// Lock has nobody to keep out.
func Lock(*os.File) error { return nil }

// ReplacesOpen reports whether a file that is open can be replaced.
const ReplacesOpen = true
