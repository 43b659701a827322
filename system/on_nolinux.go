//go:build !linux

package system

import "runtime/metrics"

// Used returns the memory that the Go runtime holds, in bytes, for systems that do not
// report the memory of a process. It is without that of children.
func Used() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64() - sample[1].Value.Uint64()
}

// LimitedMaps returns false: any limits on a single process are left to the system.
func LimitedMaps() bool { return false }
