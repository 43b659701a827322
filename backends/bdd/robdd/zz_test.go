package robdd

import (
	"os"
	"runtime"
	"strings"
	"testing"
)

func TestZZ(t *testing.T) {
	m, _ := NewManager(natural(121), Config{})
	queens(t, m, 11)
	g, u, r := 0, 0, 0
	for i := range m.tables {
		g += len(m.tables[i].groups) * 40
		u += m.tables[i].used
		r += m.tables[i].room
	}
	t.Log("chunks", len(m.chunks)*chunkBytes>>10, "KiB, tables", g>>10, "KiB used", u, "room", r, "peak", m.stats.PeakBytes>>10, m.stats)
	var ms runtime.MemStats
	runtime.ReadMemStats(&ms)
	t.Log("heapsys", ms.HeapSys>>10, "alloc", ms.HeapAlloc>>10, "total", ms.TotalAlloc>>10, ms.NumGC)
	b, _ := os.ReadFile("/proc/self/status")
	for _, l := range strings.Split(string(b), "\n") {
		if strings.HasPrefix(l, "VmHWM") {
			t.Log(l)
		}
	}
}
