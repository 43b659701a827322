package system

import (
	"bytes"
	"context"
	"os/exec"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

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
	go Watch(ctx, limit, func(used uint64) {
		told <- used
	})
	// Its check may be late: let memory grow until it calls out.
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
		tree, err := Start(cmd, Limits{})
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
