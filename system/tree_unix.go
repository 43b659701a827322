//go:build unix

package system

import (
	"io"
	"os"
	"os/exec"
	"sync"
	"syscall"
)

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
func (t *tree) close() { _ = syscall.Kill(-t.group, syscall.SIGKILL) }

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
