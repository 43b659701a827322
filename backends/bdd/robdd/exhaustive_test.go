//go:build exhaustive

package robdd

const traceCount, traceLength = 200, 2000
