package system

import (
	"fmt"
	"os/exec"
	"runtime"
)

// Tree is a process and everything that it starts.
type Tree struct {
	tree // specific to the operating system
}

// Limits are the limits of a tree, as far as the system itself can enforce them. A tree with a limit is
// measured: on Linux it gets a control group if one can be made.
type Limits struct {
	Memory     uint64 // in bytes, of the whole tree; 0 means no limit
	Processors int    // to which the tree is pinned; 0 means all
}

// Start starts the command as the root of a new tree. If the command has a context, the tree is killed
// when the context ends. A measured command must not start other processes before it has read from its
// standard input; by then it is in its control group.
//
// The goroutine that called Start must call Close after the command's Wait: Close kills what the command
// left behind. Until then the goroutine keeps its thread, since Linux ties the life of a child to the
// thread that started it.
func Start(cmd *exec.Cmd, limits Limits) (*Tree, error) {
	t := &Tree{}
	if cmd.Cancel != nil {
		cmd.Cancel = func() error { t.Kill(); return nil }
	}
	runtime.LockOSThread()
	if err := t.start(cmd, limits); err != nil {
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
