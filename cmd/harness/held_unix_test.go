//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// heldKiB returns the most memory that a process held that has ended, in KiB.
func heldKiB(state *os.ProcessState) int64 {
	most := int64(state.SysUsage().(*syscall.Rusage).Maxrss)
	if runtime.GOOS == "darwin" { // which counts bytes
		return most >> 10
	}
	return most
}
