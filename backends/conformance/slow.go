//go:build slow

package conformance

// Slow says that tests which take long run, too: go test -tags slow.
const Slow = true
