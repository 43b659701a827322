//go:build !linux

package robdd

// hugePages does nothing: see the version for Linux.
func hugePages([]byte) {}
