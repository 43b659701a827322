package system

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/prometheus/procfs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Limits of groups of both versions, at any level: the lowest counts.
func TestFreeInGroups(t *testing.T) {
	root := t.TempDir()
	write := func(dir string, files map[string]string) {
		require.NoError(t, os.MkdirAll(filepath.Join(root, dir), 0o755))
		for name, text := range files {
			require.NoError(t, os.WriteFile(filepath.Join(root, dir, name), []byte(text), 0o644))
		}
	}
	v2 := []procfs.Cgroup{{HierarchyID: 0, Path: "/a/b"}}
	v1 := []procfs.Cgroup{{HierarchyID: 4, Controllers: []string{"cpu", "memory"}, Path: "/job"}, {HierarchyID: 5, Controllers: []string{"pids"}, Path: "/"}}
	assert.EqualValues(t, uint64(math.MaxUint64), freeInGroups(root, v2), "no group, no limit")

	write("a", map[string]string{"memory.max": "1000\n", "memory.current": "900\n", "memory.stat": "anon 5\ninactive_file 300\n"})
	write("a/b", map[string]string{"memory.max": "max\n", "memory.current": "800\n"})
	assert.EqualValues(t, 400, freeInGroups(root, v2), "cached file pages count as free")
	write("a/b", map[string]string{"memory.max": "850\n"})
	assert.EqualValues(t, 50, freeInGroups(root, v2))
	write("a/b", map[string]string{"memory.max": "700\n"})
	assert.EqualValues(t, 0, freeInGroups(root, v2), "over the limit")

	write("memory", map[string]string{"memory.limit_in_bytes": "9223372036854771712", "memory.usage_in_bytes": "5"})
	write("memory/job", map[string]string{"memory.limit_in_bytes": "2000", "memory.usage_in_bytes": "500", "memory.stat": "inactive_file 1\ntotal_inactive_file 100\n"})
	assert.EqualValues(t, 1600, freeInGroups(root, v1))
	v1[0].Path = "/outside/of/the/container"
	assert.EqualValues(t, 9223372036854771712-5, freeInGroups(root, v1))
}

func TestFreeAndUsed(t *testing.T) {
	free, used := Free(), Used()
	assert.Greater(t, free, uint64(1<<20))
	assert.LessOrEqual(t, free, Memory())
	assert.Greater(t, used, uint64(1<<20))
	hold := make([]byte, 64<<20)
	for i := range hold {
		hold[i] = 1
	}
	assert.Greater(t, Used(), used+(48<<20))
	assert.EqualValues(t, 1, hold[len(hold)-1])
}

func TestWatch(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	told := make(chan uint64, 1)
	const limit = 32 << 20
	go Watch(ctx, limit, func(used uint64) { told <- used })
	// Memory that is in use at its first check does not count, and that check may be late:
	// let memory grow until it calls out.
	var hold [][]byte
	for {
		hold = append(hold, bytes.Repeat([]byte{1}, limit/8))
		select {
		case used := <-told:
			assert.Greater(t, used, uint64(limit))
			runtime.KeepAlive(hold)
			return
		case <-ctx.Done():
			t.Fatal("Watch did not report that the limit was exceeded")
		case <-time.After(10 * time.Millisecond):
		}
	}
}
