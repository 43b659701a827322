//go:build unix

package system

import (
	"io"
	"os"
	"os/exec"
	"syscall"
)

// tree is a process group, named by its first process.
type tree struct{ group int }

func (t *tree) start(cmd *exec.Cmd, _ uint64) error {
	cmd.SysProcAttr = attributes()
	if err := cmd.Start(); err != nil {
		return err
	}
	t.group = cmd.Process.Pid
	return nil
}

// Kill ends the tree.
func (t *tree) Kill() { _ = syscall.Kill(-t.group, syscall.SIGKILL) }

func (t *tree) close() { t.Kill() }

// EndWith kills this process and its group when in ends, and returns at once. It
// does nothing in a process that does not lead a group, such as a command that a
// person typed.
func EndWith(in io.Reader) {
	if syscall.Getpgrp() != os.Getpid() {
		return
	}
	go func() {
		_, _ = io.Copy(io.Discard, in)
		_ = syscall.Kill(0, syscall.SIGKILL)
	}()
}

// Signal is the name of the signal that ended a process, empty when none did.
func Signal(state *os.ProcessState) string {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return status.Signal().String()
	}
	return ""
}
