package system

import (
	"fmt"
	"os/exec"
	"runtime"
)

// Tree is a started process and all that it starts.
type Tree struct {
	tree // of the operating system
}

// Start starts the command at the root of a tree of its own. A command with a
// context kills the tree when the context ends. memory is the limit in bytes on
// the whole tree where the system itself can keep one; 0 is none.
//
// Close must be called after the command's Wait, by the goroutine that called
// Start: it kills what the command left behind. Until then the goroutine keeps its
// thread, since Linux ties the life of a child to the thread that started it.
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

// Close ends what is left of the tree.
func (t *Tree) Close() {
	t.close()
	runtime.UnlockOSThread()
}
