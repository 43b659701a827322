package conformance

import (
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// Cases returns the number of random cases to try: all or, in a short run, an eighth.
func Cases(all uint64) uint64 {
	if testing.Short() {
		return (all + 7) / 8
	}
	return all
}

// Long skips a test that takes long, unless -tags slow asks for it.
func Long(t testing.TB) {
	t.Helper()
	if !Slow {
		t.Skip("takes long: go test -tags slow")
	}
}

// Number reads a test's length or seed from the environment, as in TORTURE_CASES=1000000; it returns
// otherwise if the variable is not set. docs/understand/trust.md lists the names.
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
