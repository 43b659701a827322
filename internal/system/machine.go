//go:build !js

package system

import (
	"runtime"
	"strconv"

	"github.com/shirou/gopsutil/v4/cpu"
	"github.com/shirou/gopsutil/v4/load"
	"github.com/shirou/gopsutil/v4/mem"
)

const unknown = "unknown"

// Processor returns the model of the processor, or "unknown".
func Processor() string {
	if all, err := cpu.Info(); err == nil && len(all) > 0 && all[0].ModelName != "" {
		return all[0].ModelName
	}
	return unknown
}

// Memory returns the machine's memory in bytes; 0 if unknown.
func Memory() uint64 {
	if m, err := mem.VirtualMemory(); err == nil {
		return m.Total
	}
	return 0
}

// Load returns the load average over the last minute, or "unknown", as on Windows, which has
// none.
func Load() string {
	if runtime.GOOS == "windows" {
		return unknown
	}
	if all, err := load.Avg(); err == nil {
		return strconv.FormatFloat(all.Load1, 'f', -1, 64)
	}
	return unknown
}

// Free returns how much more memory this process may use, in bytes: the machine's available memory, or
// what the process's own limits leave, if that is less; 0 if unknown.
func Free() uint64 {
	m, err := mem.VirtualMemory()
	if err != nil {
		return 0
	}
	return min(m.Available, allowed())
}
