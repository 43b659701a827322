//go:build !exhaustive

package robdd

const traceCount, traceLength = 3, 200
