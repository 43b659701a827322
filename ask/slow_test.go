//go:build slow

package ask

func init() { problemCases = 100_000 }
