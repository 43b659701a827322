//go:build !linux

package system

import "runtime/metrics"

// mapped is what the Go runtime holds of this process's memory, in bytes: what can be
// told where the system tells nothing.
func mapped() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64() - sample[1].Value.Uint64()
}
