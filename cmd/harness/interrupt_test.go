package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"queens/internal/system"
)

// Scripts interrupt a command once its output shows that it has got far enough. A fixed time
// would be too short for a slow machine, or too long for a fast one.

// mostPatience bounds how long a command may take to get to where it is interrupted.
const mostPatience = 2 * time.Minute

// terminal PATTERN COMMAND: runs the shell command on a terminal until that shows PATTERN,
// then types Ctrl-C. The command must end with exit code 130; stdout has the end of what the
// terminal showed.
func terminal(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: terminal PATTERN COMMAND")
	}
	wanted, err := regexp.Compile(args[0])
	ts.Check(err)
	cmd := shell(ts, args[1])
	cmd.Path, err = exec.LookPath("script")
	ts.Check(err)
	cmd.Args = []string{"script", "-qec", "exec " + args[1], os.DevNull}
	keys, err := cmd.StdinPipe()
	ts.Check(err)
	shown := &watched{wanted: wanted, met: make(chan struct{})}
	cmd.Stdout = shown
	ts.Check(cmd.Start())
	late := time.AfterFunc(mostPatience, func() { _ = cmd.Process.Kill() })
	defer late.Stop()
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case <-shown.met:
		_, err = io.WriteString(keys, "\x03")
		ts.Check(err)
		err = <-ended
	case err = <-ended:
		err = errors.Join(fmt.Errorf("it never showed %q", args[0]), err)
	}
	text := shown.text.Bytes()
	_, _ = ts.Stdout().Write(text[max(0, len(text)-2000):])
	if exit := new(exec.ExitError); !errors.As(err, &exit) || exit.ExitCode() != interrupted {
		ts.Fatalf("%s: %v; expected exit code %d", args[1], err, interrupted)
	}
}

// watched keeps what is written to it, and closes met once that matches wanted.
type watched struct {
	text   bytes.Buffer // not embedded: its ReadFrom would be used
	wanted *regexp.Regexp
	met    chan struct{}
	once   sync.Once
}

// Write implements [io.Writer].
func (w *watched) Write(data []byte) (int, error) {
	n, err := w.text.Write(data)
	if w.wanted.Match(w.text.Bytes()) {
		w.once.Do(func() { close(w.met) })
	}
	return n, err
}

// terminated PATTERN COMMAND...: runs the shell commands in parallel and terminates each
// after a moment. It must end with exit code 130 and print PATTERN on stderr; if it has not
// got far enough, it is started again and given twice the time.
func terminated(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: terminated PATTERN COMMAND...")
	}
	wanted, err := regexp.Compile(args[0])
	ts.Check(err)
	said := make([]string, len(args)-1)
	var all sync.WaitGroup
	for i, command := range args[1:] {
		all.Go(func() {
			for moment := 500 * time.Millisecond; moment < mostPatience; moment *= 2 {
				cmd := shell(ts, command)
				var stderr bytes.Buffer
				cmd.Stderr = &stderr
				if err := cmd.Start(); err != nil {
					said[i] = err.Error()
					return
				}
				time.Sleep(moment)
				_ = cmd.Process.Signal(syscall.SIGTERM) // it may have ended
				_ = cmd.Wait()
				if cmd.ProcessState.ExitCode() == interrupted && wanted.Match(stderr.Bytes()) {
					said[i] = ""
					return
				}
				said[i] = fmt.Sprintf("after %v: %v: %s", moment, cmd.ProcessState, &stderr)
				if code := cmd.ProcessState.ExitCode(); code >= 0 && code != interrupted {
					break // it ended by itself
				}
			}
			said[i] = fmt.Sprintf("%s: expected exit code %d and %q on stderr: %s", command, interrupted, args[0], said[i])
		})
	}
	all.Wait()
	for _, text := range said {
		if text != "" {
			ts.Fatalf("%s", text)
		}
	}
}

// peak MIB CODE COMMAND: runs the shell command, which must end with that code and never hold as much memory.
func peak(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: peak MIB CODE COMMAND")
	}
	most, err := strconv.Atoi(args[0])
	ts.Check(err)
	code, err := strconv.Atoi(args[1])
	ts.Check(err)
	cmd := shell(ts, args[2])
	cmd.Stderr = ts.Stderr()
	if err := cmd.Run(); cmd.ProcessState.ExitCode() != code {
		ts.Fatalf("%s: %v; expected exit code %d", args[2], err, code)
	}
	own, err := system.PeakMemory() // Linux counts it as the child's
	ts.Check(err)
	if kib := heldKiB(cmd.ProcessState); kib > max(int64(most)<<10, int64(own>>10)) {
		ts.Fatalf("%s: it held %d MiB, more than %d", args[2], kib>>10, most)
	}
}

// shell returns a shell command line that replaces the shell by exec.
func shell(ts *testscript.TestScript, command string) *exec.Cmd {
	cmd := exec.Command("/bin/sh", "-c", "exec "+command)
	cmd.Dir = ts.MkAbs(".")
	cmd.Env = append(os.Environ(), "PATH="+ts.Getenv("PATH"), "TMPDIR="+ts.Getenv("TMPDIR"))
	return cmd
}
