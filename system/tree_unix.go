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
	starting sync.Mutex // a context may end, and its command be killed, before Start is back
	group    int        // 0: there is none
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

// Kill ends the tree, with the trees that were started in it.
func (t *tree) Kill() {
	t.starting.Lock()
	group := t.group
	t.starting.Unlock()
	if group != 0 { // the number 0 would stand for our own
		endGroup(group, group)
	}
}

// close does so once the first process is gone, whose number may be another's by now.
func (t *tree) close() { _ = syscall.Kill(-t.group, syscall.SIGKILL) }

// endGroup kills a group, with what its first process has below it in other groups.
func endGroup(group, first int) {
	below := stopBelow(first)
	_ = syscall.Kill(-group, syscall.SIGKILL)
	for _, pid := range below {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

// EndWith kills this process and its group when in ends, and returns at once. It
// does nothing in a process that does not lead a group, such as a command that a
// person typed.
func EndWith(in io.Reader) {
	if syscall.Getpgrp() != os.Getpid() {
		return
	}
	go func() {
		_, _ = io.Copy(io.Discard, in)
		endGroup(os.Getpid(), os.Getpid())
	}()
}

// Signal is the name of the signal that ended a process, empty when none did.
func Signal(state *os.ProcessState) string {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return status.Signal().String()
	}
	return ""
}
