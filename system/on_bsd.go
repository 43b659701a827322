//go:build unix && !linux && !darwin

package system

// maxrssShift converts ru_maxrss to bytes: these systems report KiB.
const maxrssShift = 10
