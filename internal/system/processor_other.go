//go:build !linux && !js

package system

import "github.com/shirou/gopsutil/v4/cpu"

// Processor returns the model of the processor, or "unknown".
func Processor() string {
	if all, err := cpu.Info(); err == nil && len(all) > 0 && all[0].ModelName != "" {
		return all[0].ModelName
	}
	return unknown
}
