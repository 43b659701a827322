//go:build slow

package choice

func init() { problemCases = 100_000 }
