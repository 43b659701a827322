package run

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/experiments/record"
	"queens/experiments/tasktest"
)

// Time in which the harness was stopped is no part of a run's time.
func TestCountdown(t *testing.T) {
	now := time.Now()
	c := countdown{3 * time.Second, now}
	for range 20 {
		now = now.Add(100 * time.Millisecond)
		assert.False(t, c.pass(now))
	}
	assert.Equal(t, time.Second, c.left)
	c.left += longestGap
	assert.False(t, c.pass(now.Add(time.Hour)), "stopped")
	assert.Equal(t, time.Second, c.left)
	assert.True(t, c.pass(now.Add(time.Hour+time.Second)))
}

// state returns the letter of a process's state: T if it is stopped.
func state(t *testing.T, pid int) string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	require.NoError(t, err)
	return strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))[0]
}

// awaiting starts a harness whose only run waits for a file, and returns the run's process.
func awaiting(t *testing.T, limit time.Duration) (cmd *exec.Cmd, run int, dir, awaited string) {
	temporary := t.TempDir()
	dir, awaited = filepath.Join(t.TempDir(), "x"), filepath.Join(t.TempDir(), "go")
	config := write(t, "x.yaml", fmt.Sprintf("name: x\ntask: toy\naxes: {n: 3, how: awaiting}\nlimits: {wall_clock: %s}\n", limit))
	cmd = harness(t, config, dir, "TMPDIR="+temporary, tasktest.Awaited+"="+awaited)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return cmd, childOf(t, temporary, cmd).Pid, dir, awaited
}

// A run that ends within its limit while its harness is stopped is ok.
func TestHarnessIsStoppedAlone(t *testing.T) {
	t.Parallel()
	// Up to longestGap counts. The limit doubles until this machine is quick enough for the run itself to keep it.
	for limit := longestGap * 5 / 4; ; limit *= 2 {
		cmd, run, dir, awaited := awaiting(t, limit)
		require.NoError(t, cmd.Process.Signal(syscall.SIGSTOP))
		require.NoError(t, os.WriteFile(awaited, nil, 0o644))
		require.Eventually(t, func() bool { return zombie(run) }, patience, time.Millisecond)
		time.Sleep(limit)
		require.NoError(t, cmd.Process.Signal(syscall.SIGCONT))
		require.NoError(t, cmd.Wait())
		set, err := record.Read(dir, toys)
		require.NoError(t, err)
		require.Len(t, set.Rows, 1)
		if row := set.Rows[0]; row.Outcome() == record.OK || limit > 8*time.Second {
			assert.Equal(t, record.OK, row.Outcome(), row.Cell("reason"))
			assert.Equal(t, "yes", row.Cell("agree"))
			return
		}
	}
}

// A harness that is asked to stop, as by Ctrl-Z, stops its run, too, and the time is in no measurement.
func TestStopIsPassedOn(t *testing.T) {
	t.Parallel()
	began := time.Now()
	cmd, run, dir, awaited := awaiting(t, time.Minute)
	require.NoError(t, cmd.Process.Signal(syscall.SIGTSTP))
	for _, pid := range []int{cmd.Process.Pid, run} {
		require.Eventually(t, func() bool { return state(t, pid) == "T" }, patience, time.Millisecond)
	}
	stopped := time.Now()
	time.Sleep(time.Second)
	away := time.Since(stopped)
	require.NoError(t, cmd.Process.Signal(syscall.SIGCONT))
	require.Eventually(t, func() bool { return state(t, run) != "T" }, patience, time.Millisecond)
	require.NoError(t, os.WriteFile(awaited, nil, 0o644))
	require.NoError(t, cmd.Wait())
	all := time.Since(began)
	set, err := record.Read(dir, toys)
	require.NoError(t, err)
	require.Len(t, set.Rows, 1)
	assert.Equal(t, record.OK, set.Rows[0].Outcome())
	for _, column := range []string{"wall_seconds", "first_query_seconds"} {
		took, known := set.Rows[0].Number(column)
		assert.True(t, known && took <= (all-away).Seconds(), "%s %f of %s, stopped for %s", column, took, all, away)
	}
}
