//go:build unix && !linux

package system

import (
	"encoding/binary"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// Memory returns 0 for both: the memory of another process cannot be read without cgo.
func (t *tree) Memory() (now, peak uint64) { return 0, 0 }

// PeakMemory returns the highest resident memory of this process, in bytes.
func PeakMemory() (uint64, error) {
	var r unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &r); err != nil {
		return 0, err
	}
	return uint64(r.Maxrss) << maxrssShift, nil
}

// LimitData does nothing: these systems do not limit what a process maps.
func LimitData(uint64) error { return nil }

// Lacks lists what this system cannot do for a measurement.
func Lacks() []string {
	return []string{"the memory limit is not kept", "a run outlives a harness that is killed until it reads its input"}
}

// Processor returns the model of the processor, or "unknown".
func Processor() string {
	for _, name := range []string{"machdep.cpu.brand_string", "hw.model"} {
		if model, err := unix.Sysctl(name); err == nil {
			return model
		}
	}
	return "unknown"
}

// Memory returns the machine's memory in bytes; 0 if unknown.
func Memory() uint64 {
	for _, name := range []string{"hw.memsize", "hw.physmem"} {
		if bytes, err := unix.SysctlUint64(name); err == nil {
			return bytes
		}
	}
	return 0
}

// Free returns roughly how much memory is available, in bytes; 0 if unknown. On Darwin it is
// what is free or can be dropped at once, elsewhere half of the machine's memory.
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

// Load returns the load average over the last minute, or "unknown". The kernel returns
// three fixed-point numbers and, after padding, their scale.
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

// stopBelow returns nil: on these systems the descendants of a process in other groups
// cannot be listed cheaply.
func stopBelow(int) []int { return nil }
