//go:build unix && !linux

package system

import (
	"encoding/binary"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// Memory cannot be told of another process here without cgo: both are 0.
func (t *tree) Memory() (now, peak uint64) { return 0, 0 }

// PeakMemory is the highest resident memory of this process, in bytes.
func PeakMemory() (uint64, error) {
	var r unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &r); err != nil {
		return 0, err
	}
	return uint64(r.Maxrss) << maxrssShift, nil
}

// LimitData does nothing: these systems do not bound what a process maps.
func LimitData(uint64) error { return nil }

// Lacks lists what this system cannot do for a measurement.
func Lacks() []string {
	return []string{"the memory limit is not kept", "a run outlives a harness that is killed until it reads its input"}
}

// Processor is the model of the processor, or "unknown".
func Processor() string {
	for _, name := range []string{"machdep.cpu.brand_string", "hw.model"} {
		if model, err := unix.Sysctl(name); err == nil {
			return model
		}
	}
	return "unknown"
}

// Memory is that of the machine in bytes, 0 when it cannot be told.
func Memory() uint64 {
	for _, name := range []string{"hw.memsize", "hw.physmem"} {
		if bytes, err := unix.SysctlUint64(name); err == nil {
			return bytes
		}
	}
	return 0
}

// Free is about how much memory is to be had, in bytes, 0 when it cannot be told: what
// Darwin has free or can drop at once, elsewhere half of the machine's.
func Free() uint64 {
	var pages uint64
	for _, name := range []string{"vm.page_free_count", "vm.page_speculative_count", "vm.page_purgeable_count",
		"vm.page_pageable_external_count"} {
		if n, err := unix.SysctlUint32(name); err == nil {
			pages += uint64(n)
		}
	}
	if pages == 0 {
		return Memory() / 2
	}
	return pages * uint64(unix.Getpagesize())
}

// LimitedMaps is false: what limits there are is left to the system.
func LimitedMaps() bool { return false }

// Used is the memory that this process holds, in bytes; what it has started is not told.
func Used() uint64 { return mapped() }

// Load is the load average over the last minute, or "unknown". The kernel gives
// three fixed-point numbers and, behind padding, their scale.
func Load() string {
	raw, err := unix.SysctlRaw("vm.loadavg")
	if err != nil || len(raw) < 24 {
		return "unknown"
	}
	one, scale := binary.NativeEndian.Uint32(raw), binary.NativeEndian.Uint64(raw[16:])
	if scale == 0 {
		return "unknown"
	}
	return strconv.FormatFloat(float64(one)/float64(scale), 'f', 2, 64)
}

// stopBelow would list what a process has started in other groups, which these systems do
// not tell cheaply.
func stopBelow(int) []int { return nil }
