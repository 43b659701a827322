//go:build exhaustive

package robdd

const traceCount, traceLength = 30, 1000
