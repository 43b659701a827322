//go:build unix

package system

import (
	"io"
	"maps"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"
)

// trees holds the trees that this process has started and not closed, by process group.
var trees struct {
	sync.Mutex
	groups map[int]bool
}

// tree is a process group, identified by its first process, together with the system's mechanism to hold
// processes that leave the group.
type tree struct {
	starting sync.Mutex // the context may end, and the command be killed, before Start returns
	group    int        // 0: not started
	confinement
}

func (t *tree) start(cmd *exec.Cmd, limits Limits) error {
	t.starting.Lock()
	defer t.starting.Unlock()
	adopt()
	trees.Lock() // otherwise the end of another tree could take the new process for one left behind
	defer trees.Unlock()
	unpin, err := pin(limits.Processors)
	if err != nil {
		return err
	}
	defer unpin()
	cmd.SysProcAttr = attributes()
	if err := cmd.Start(); err != nil {
		return err
	}
	t.group = cmd.Process.Pid
	if trees.groups == nil {
		trees.groups = map[int]bool{}
	}
	trees.groups[t.group] = true
	if limits.Memory > 0 {
		t.confine(t.group, limits)
	}
	return nil
}

// Kill kills the tree, including the trees started in it.
func (t *tree) Kill() {
	t.starting.Lock()
	defer t.starting.Unlock()
	if t.group != 0 { // 0 would be our own group
		t.killAll()
		endGroup(t.group, t.group)
	}
}

// close kills the group after its first process has ended, and the processes that left the group. It does
// not signal the first process's id, which another process may have by then.
func (t *tree) close() {
	_ = syscall.Kill(-t.group, syscall.SIGKILL)
	t.release()
	trees.Lock()
	defer trees.Unlock()
	delete(trees.groups, t.group)
	if len(trees.groups) == 0 { // with other trees running, the owner of an adopted process is unknown
		endAdopted()
	}
}

// Memory returns the current memory of the tree, and the peak resident memory of its first process,
// in bytes; both are 0 if it has ended.
func (t *tree) Memory() (now, peak uint64) {
	now, peak = memoryBelow(t.group)
	return max(now, t.charged()), peak
}

// ProcessorTime returns the user and kernel time of the tree. state is that of its first process, which
// has ended.
func (t *tree) ProcessorTime(state *os.ProcessState) (user, kernel time.Duration) {
	user, kernel = t.spent()
	return max(user, state.UserTime()), max(kernel, state.SystemTime())
}

// stopBelow stops all descendants of a process and returns their ids. Each is stopped before
// its children are listed, so none is missed.
func stopBelow(pid int) (below []int) {
	for _, child := range children(pid) {
		_ = syscall.Kill(child, syscall.SIGSTOP)
		below = append(append(below, child), stopBelow(child)...)
	}
	return below
}

// endGroup kills a group, and the descendants of its first process in other groups.
func endGroup(group, first int) {
	below := stopBelow(first)
	_ = syscall.Kill(-group, syscall.SIGKILL)
	for _, pid := range below {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

// descendantsTime returns the processor time of this process's running descendants; 0 if no tree is running.
func descendantsTime() (spent time.Duration) {
	trees.Lock()
	running := maps.Clone(trees.groups)
	trees.Unlock()
	if len(running) > 0 {
		for _, child := range children(os.Getpid()) {
			spent += processorTimeBelow(child)
		}
	}
	return spent
}

// EndWith returns at once. When in ends, it kills this process and everything that it has started. It
// does nothing in a process that does not lead a group, such as a command in a script.
func EndWith(in io.Reader) {
	if syscall.Getpgrp() != os.Getpid() {
		return
	}
	adopt()
	go func() {
		_, _ = io.Copy(io.Discard, in)
		endGroup(os.Getpid(), os.Getpid())
	}()
}

// Signal returns the name of the signal that ended a process, or "".
func Signal(state *os.ProcessState) string {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return status.Signal().String()
	}
	return ""
}
