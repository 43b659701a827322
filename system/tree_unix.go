//go:build unix

package system

import (
	"io"
	"os"
	"os/exec"
	"sync"
	"syscall"
)

// running has the groups of the trees that this process has started and not closed.
var running sync.Map

// tree is a process group, named by its first process.
type tree struct {
	starting sync.Mutex // a context may end, and its command be killed, before Start returns
	group    int        // 0: not started
}

func (t *tree) start(cmd *exec.Cmd, _ uint64) error {
	t.starting.Lock()
	defer t.starting.Unlock()
	cmd.SysProcAttr = attributes()
	if err := cmd.Start(); err != nil {
		return err
	}
	t.group = cmd.Process.Pid
	running.Store(t.group, nil)
	return nil
}

// Kill kills the tree, including the trees started in it.
func (t *tree) Kill() {
	t.starting.Lock()
	group := t.group
	t.starting.Unlock()
	if group != 0 { // 0 would be our own group
		endGroup(group, group)
	}
}

// close kills the group once its first process is gone. It leaves that process's number alone,
// which may belong to another process by now.
func (t *tree) close() {
	running.Delete(t.group)
	_ = syscall.Kill(-t.group, syscall.SIGKILL)
}

// Memory returns the current resident memory of the tree, and the peak of its first process,
// in bytes; both are 0 if it has ended.
func (t *tree) Memory() (now, peak uint64) { return memoryBelow(t.group) }

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

// EndWith returns at once, and kills this process and its group when in ends. It does
// nothing in a process that does not lead a group, such as a command in a script.
func EndWith(in io.Reader) {
	if syscall.Getpgrp() != os.Getpid() {
		return
	}
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
