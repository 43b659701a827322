//go:build unix && !linux && !darwin

package system

// maxrssShift makes bytes of ru_maxrss, which these systems give in KiB.
const maxrssShift = 10
