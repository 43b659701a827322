package conformance

import (
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// Number reads from the environment how long, or with what seed, a test is to run, as
// in TORTURE_CASES=1000000; docs/understand/trust.md lists the names.
func Number(t testing.TB, name string, otherwise uint64) uint64 {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	value, err := strconv.ParseUint(text, 10, 64)
	require.NoError(t, err, name)
	return value
}
