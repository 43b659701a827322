package system

import (
	"bufio"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// measuredTree starts a script under limits; it must read a line first, and writes one.
func measuredTree(t *testing.T, script string, limits Limits) (*exec.Cmd, *Tree, string) {
	t.Helper()
	cmd := exec.Command("/bin/sh", "-c", "read line; "+script)
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	tree, err := Start(cmd, limits)
	require.NoError(t, err)
	_, err = in.Write([]byte("go\n"))
	require.NoError(t, err)
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	return cmd, tree, strings.TrimSpace(line)
}

// A process of another session, whose parent has ended, ends with the tree that it has left.
func TestWhatLeavesTheTreeEndsWithIt(t *testing.T) {
	for _, limits := range []Limits{{}, {Memory: 1 << 30}} {
		cmd, tree, line := measuredTree(t, "setsid sh -c 'echo $$; exec sleep 1000' 2>/dev/null & wait", limits)
		escaped, err := strconv.Atoi(line)
		require.NoError(t, err)
		require.NoError(t, cmd.Process.Kill())
		_ = cmd.Wait()
		tree.Close()
		assert.Error(t, unix.Kill(escaped, 0), "not even a zombie")
	}
}

// A measured tree's processor time includes what it did not wait for, and its group goes with it.
func TestControlGroup(t *testing.T) {
	dir, memory := delegated()
	if dir == "" {
		t.Skip("no control group, version 2, may be made here")
	}
	const busy = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done"
	cmd, tree, _ := measuredTree(t, "(setsid sh -c '"+busy+"; echo done; sleep 1000' &) ; wait", Limits{Memory: 64 << 20})
	_ = cmd.Wait()
	user, kernel := tree.ProcessorTime(cmd.ProcessState)
	assert.Greater(t, user+kernel, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime()+5*time.Millisecond)
	assert.False(t, tree.OutOfMemory())
	made := tree.dir
	assert.DirExists(t, made)
	tree.Close()
	assert.NoDirExists(t, made)

	// What a process that is gone has left is ended by the next; what somebody holds is not, though it may
	// be a process that cannot be seen from here, in another PID namespace.
	for _, held := range []bool{false, true} {
		cmd = exec.Command("sleep", "1000")
		require.NoError(t, cmd.Start())
		group, err := newGroup(dir)
		require.NoError(t, err)
		group.set("cgroup.procs", cmd.Process.Pid)
		if !held {
			require.NoError(t, group.lock.Close())
		}
		sweepGroups(dir)
		if held {
			assert.NoError(t, cmd.Process.Signal(syscall.Signal(0)))
			assert.DirExists(t, group.dir)
			group.release()
		}
		assert.ErrorContains(t, cmd.Wait(), "killed")
		assert.NoDirExists(t, group.dir)
	}

	if !memory {
		t.Skip("control groups of version 2 do not count memory here")
	}
	file, err := os.CreateTemp("/dev/shm", "queens-test")
	require.NoError(t, err)
	defer os.Remove(file.Name())
	cmd, tree, _ = measuredTree(t, "echo; head -c 200000000 /dev/zero >"+file.Name()+"; sleep 1000", Limits{Memory: 64 << 20})
	assert.Error(t, cmd.Wait())
	assert.True(t, tree.OutOfMemory(), "files in memory count")
	tree.Close()
}

// The group of this process below a mount that may show only a part of the hierarchy.
func TestOwnGroup(t *testing.T) {
	const mount = "31 30 0:27 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n"
	assert.Equal(t, "/sys/fs/cgroup/user/a.scope", ownGroup("0::/user/a.scope\n", mount))
	assert.Equal(t, "/sys/fs/cgroup/a", ownGroup("1:memory:/x\n0::/docker/7/a\n", strings.Replace(mount, "/ ", "/docker/7 ", 1)))
	assert.Empty(t, ownGroup("0::/user/a.scope\n", strings.Replace(mount, "/ ", "/docker/7 ", 1)), "of another container")
	assert.Empty(t, ownGroup("1:memory:/x\n", mount), "version 1 only")
}

func TestPinned(t *testing.T) {
	var before, after unix.CPUSet
	require.NoError(t, unix.SchedGetaffinity(os.Getpid(), &before))
	cmd, tree, line := measuredTree(t, "grep Cpus_allowed_list /proc/self/status; read line", Limits{Processors: 1})
	assert.Regexp(t, `^Cpus_allowed_list:\s+\d+$`, line)
	tree.Kill()
	_ = cmd.Wait()
	tree.Close()
	require.NoError(t, unix.SchedGetaffinity(0, &after))
	assert.Equal(t, before, after)
	_, err := Start(exec.Command("true"), Limits{Processors: 1024})
	assert.ErrorContains(t, err, "pinning to 1024 processors: this process may use only ")
}
