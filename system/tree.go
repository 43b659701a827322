package system

import (
	"fmt"
	"os/exec"
	"runtime"
)

// Tree is a process and all its descendants.
type Tree struct {
	tree // of the operating system
}

// Start starts the command as the root of a new tree. If the command has a context, the
// tree is killed when the context ends. memory is the limit in bytes on the whole tree,
// if the system itself can keep one; 0 means no limit.
//
// Close must be called after the command's Wait, by the goroutine that called Start: it
// kills what the command left behind. Until then the goroutine keeps its thread, since
// Linux ties the life of a child to the thread that started it.
func Start(cmd *exec.Cmd, memory uint64) (*Tree, error) {
	t := &Tree{}
	if cmd.Cancel != nil {
		cmd.Cancel = func() error { t.Kill(); return nil }
	}
	runtime.LockOSThread()
	if err := t.start(cmd, memory); err != nil {
		runtime.UnlockOSThread()
		return nil, fmt.Errorf("starting %s: %w", cmd.Path, err)
	}
	return t, nil
}

// Close kills what is left of the tree.
func (t *Tree) Close() {
	t.close()
	runtime.UnlockOSThread()
}
