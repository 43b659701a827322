package system

import (
	"bytes"
	"context"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Limits of groups of both versions, at any level: the lowest counts.
func TestLeftInGroups(t *testing.T) {
	root := t.TempDir()
	write := func(dir string, files map[string]string) {
		require.NoError(t, os.MkdirAll(filepath.Join(root, dir), 0o755))
		for name, text := range files {
			require.NoError(t, os.WriteFile(filepath.Join(root, dir, name), []byte(text), 0o644))
		}
	}
	const v2, v1 = "0::/a/b\n", "4:cpu,memory:/job\n5:pids:/\n"
	assert.EqualValues(t, uint64(math.MaxUint64), leftInGroups(root, v2), "no group, no limit")

	write("a", map[string]string{"memory.max": "1000\n", "memory.current": "900\n", "memory.stat": "anon 5\ninactive_file 300\n"})
	write("a/b", map[string]string{"memory.max": "max\n", "memory.current": "800\n"})
	assert.EqualValues(t, 400, leftInGroups(root, v2), "cached file pages count as free")
	write("a/b", map[string]string{"memory.max": "850\n"})
	assert.EqualValues(t, 50, leftInGroups(root, v2))
	write("a/b", map[string]string{"memory.max": "700\n"})
	assert.EqualValues(t, 0, leftInGroups(root, v2), "over the limit")

	write("memory", map[string]string{"memory.limit_in_bytes": "9223372036854771712", "memory.usage_in_bytes": "5"})
	write("memory/job", map[string]string{"memory.limit_in_bytes": "2000", "memory.usage_in_bytes": "500", "memory.stat": "inactive_file 1\ntotal_inactive_file 100\n"})
	assert.EqualValues(t, 1600, leftInGroups(root, v1))
	assert.EqualValues(t, 9223372036854771712-5, leftInGroups(root, "4:memory:/outside/of/the/container\n"))
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
	go Watch(ctx, limit, func(used uint64, over bool) {
		assert.True(t, over)
		told <- used
	})
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

// The processor time of a child counts while it runs, that of its own children once they have
// ended, and both stay counted when the child has ended.
func TestProcessorTimeOfRunningChildren(t *testing.T) {
	if testing.Short() {
		t.Skip("uses a processor for a second")
	}
	const busy = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; "
	for _, script := range []string{busy, "(" + busy + ") & wait; "} {
		cmd := exec.Command("/bin/sh", "-c", script+"echo done; read line")
		in, err := cmd.StdinPipe()
		require.NoError(t, err)
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		user, kernel := ProcessorTime()
		before := user + kernel
		tree, err := Start(cmd, 0)
		require.NoError(t, err)
		_, err = out.Read(make([]byte, 5))
		require.NoError(t, err)
		user, kernel = ProcessorTime()
		running := user + kernel - before
		require.NoError(t, in.Close())
		_ = cmd.Wait()
		tree.Close()
		user, kernel = ProcessorTime()
		ended := user + kernel - before
		spent := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		assert.Greater(t, running, spent/2, script)
		assert.GreaterOrEqual(t, ended, spent, script)
	}
}

// A machine is short of memory when its processes wait for it.
func TestStalledIsRead(t *testing.T) {
	text, err := os.ReadFile("/proc/pressure/memory")
	if err != nil {
		t.Skip("this kernel does not report memory pressure")
	}
	assert.Contains(t, string(text), "full")
	assert.GreaterOrEqual(t, stalled(), time.Duration(0))
}
