//go:build unix

package system

import (
	"bufio"
	"context"
	"errors"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A child of the shell is part of the tree and ends with it, whether the command ends by
// itself or is killed by its context.
func TestTreeEndsWhole(t *testing.T) {
	for _, script := range []string{"sleep 1000 & echo $!; sleep 1000", "sleep 1000 >/dev/null 2>&1 & echo $!"} {
		ctx, cancel := context.WithCancel(context.Background())
		cmd := exec.CommandContext(ctx, "/bin/sh", "-c", script)
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		tree, err := Start(cmd, Limits{})
		require.NoError(t, err)
		line, err := bufio.NewReader(out).ReadString('\n')
		require.NoError(t, err)
		child, err := strconv.Atoi(strings.TrimSpace(line))
		require.NoError(t, err)
		if strings.HasSuffix(script, "sleep 1000") {
			require.NoError(t, syscall.Kill(child, 0))
			cancel()
		}
		_ = cmd.Wait()
		tree.Close()
		cancel()
		assert.Eventually(t, func() bool { return gone(child) }, time.Minute, 10*time.Millisecond, script)
	}
}

// gone reports whether a process has ended; init may be slow to collect it.
func gone(pid int) bool {
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return true
	}
	out, _ := exec.Command("ps", "-o", "stat=", "-p", strconv.Itoa(pid)).Output()
	return strings.HasPrefix(strings.TrimSpace(string(out)), "Z") || len(out) == 0
}

func TestSignalIsNamed(t *testing.T) {
	cmd := exec.Command("/bin/sh", "-c", "kill -TERM $$")
	require.Error(t, cmd.Run())
	assert.Equal(t, "terminated", Signal(cmd.ProcessState))
	cmd = exec.Command("/bin/sh", "-c", "exit 3")
	require.Error(t, cmd.Run())
	assert.Empty(t, Signal(cmd.ProcessState))
}

// A context that ends while its command is starting kills that command, and never the group
// of this process.
func TestKilledWhileStarting(t *testing.T) {
	for range 50 {
		ctx, cancel := context.WithCancel(context.Background())
		go cancel()
		cmd := exec.CommandContext(ctx, "sleep", "100")
		tree, err := Start(cmd, Limits{})
		if err != nil {
			require.ErrorIs(t, err, context.Canceled)
			continue
		}
		require.Error(t, cmd.Wait())
		tree.Close()
	}
}
