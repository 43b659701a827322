package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// The first garbage collection waits; after it, they come as usual.
func TestCollectLate(t *testing.T) {
	t.Setenv("GOGC", "") // restored at the end
	os.Unsetenv("GOGC")
	percent := func() uint64 {
		s := []metrics.Sample{{Name: "/gc/gogc:percent"}}
		metrics.Read(s)
		return s[0].Value.Uint64()
	}
	usual := debug.SetGCPercent(70)
	defer debug.SetGCPercent(usual)
	collectLate(64 << 20)
	assert.EqualValues(t, 1600, percent())
	assert.Eventually(t, func() bool { runtime.GC(); return percent() == 70 }, 10*time.Second, time.Millisecond)
	t.Setenv("GOGC", "70")
	collectLate(64 << 20)
	assert.EqualValues(t, 70, percent(), "the user's own stays")
}
