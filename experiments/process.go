package experiments

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// ending is how a run's process ended.
type ending struct {
	outcome Outcome
	reason  string
	reply   reply
	wall    time.Duration
	usage   usage
	peak    uint64
}

// watchEvery is how often a process' memory is looked at. A process that takes
// memory at 2 GiB/s is over its limit by 20 MiB at most when it is seen.
const watchEvery = 10 * time.Millisecond

// measure runs one task in a process group of its own, under the limits. It
// fails only when ctx ends, or when no process can be started.
func (c Command) measure(ctx context.Context, task string, params json.RawMessage, limits Limits) (ending, error) {
	q, err := json.Marshal(request{Task: task, Params: params, Memory: uint64(limits.Memory)})
	if err != nil {
		return ending{}, err
	}
	var stdout bytes.Buffer
	stderr := &head{limit: 4096}
	// A run that is killed cannot remove its temporary files.
	temporary, err := os.MkdirTemp("", "queens-run")
	if err != nil {
		return ending{}, fmt.Errorf("starting a run: %w", err)
	}
	defer os.RemoveAll(temporary)
	cmd := &exec.Cmd{Path: c.Path, Args: c.Args, Env: append(os.Environ(), "TMPDIR="+temporary), Stdout: &stdout, Stderr: stderr, SysProcAttr: &syscall.SysProcAttr{Setpgid: true}}
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return ending{}, fmt.Errorf("starting a run: %w", err)
	}
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return ending{}, fmt.Errorf("starting a run as %s: %w", c.Path, err)
	}
	group := cmd.Process.Pid
	// The pipe stays open while the run lives: its end tells the run that the
	// harness is gone.
	_, writeErr := stdin.Write(append(q, '\n'))

	exited := make(chan error, 1)
	go func() { exited <- cmd.Wait() }()
	kill := func() { _ = syscall.Kill(-group, syscall.SIGKILL) }

	var e ending
	var byUs Outcome
	deadline := time.NewTimer(time.Duration(limits.WallClock))
	defer deadline.Stop()
	look := time.NewTicker(watchEvery)
	defer look.Stop()
	for running := true; running; {
		select {
		case err = <-exited:
			running = false
		case <-ctx.Done():
			kill()
			<-exited
			stdin.Close()
			return ending{}, ctx.Err()
		case <-deadline.C:
			byUs, e.reason = Timeout, fmt.Sprintf("not finished after %s", limits.WallClock)
			kill()
		case <-look.C:
			if byUs != "" {
				continue
			}
			now, peak := groupMemory(group)
			if e.peak = max(e.peak, peak); now > uint64(limits.Memory) {
				byUs, e.reason = MemoryLimit, fmt.Sprintf("%d bytes resident, limit %s", now, limits.Memory)
				kill()
			}
		}
	}
	kill() // whatever the run left behind in its group
	stdin.Close()
	e.wall = time.Since(start)
	e.usage = usage{cmd.ProcessState.UserTime(), cmd.ProcessState.SystemTime()}
	e.outcome = byUs
	if byUs == "" {
		e.judge(err, writeErr, &stdout, stderr, limits)
	}
	return e, nil
}

// judge tells how a process ended that no limit ended.
func (e *ending) judge(waitErr, writeErr error, stdout io.Reader, stderr *head, limits Limits) {
	said := stderr.String()
	var exit *exec.ExitError
	switch {
	case errors.As(waitErr, &exit) && exit.ProcessState.Sys().(syscall.WaitStatus).Signaled():
		e.outcome, e.reason = Killed, fmt.Sprintf("ended by signal: %s", exit.ProcessState.Sys().(syscall.WaitStatus).Signal())
	case waitErr != nil && (strings.Contains(said, "out of memory") || strings.Contains(said, "cannot allocate memory")):
		e.outcome, e.reason = MemoryLimit, fmt.Sprintf("the kernel refused memory beyond the limit %s", limits.Memory)
	case waitErr != nil:
		e.outcome, e.reason = Failed, strings.TrimSpace(fmt.Sprintf("%v: %s", waitErr, firstLine(said)))
	default:
		if err := json.NewDecoder(stdout).Decode(&e.reply); err != nil {
			e.outcome, e.reason = Failed, fmt.Sprintf("the run's process left no readable reply: %v: %s", errors.Join(err, writeErr), firstLine(said))
		} else if e.reply.Wrong != "" {
			e.outcome, e.reason = Wrong, e.reply.Error
		} else if e.reply.Error != "" {
			e.outcome, e.reason = Failed, e.reply.Error
		} else {
			e.outcome = OK
		}
	}
}

// groupMemory sums the resident memory of a process and its descendants. peak is
// the first process' own high-water mark.
func groupMemory(pid int) (now, peak uint64) {
	now, peak, err := memoryOf(fmt.Sprint(pid))
	if err != nil {
		return 0, 0 // gone between two looks
	}
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, t := range tasks {
		data, err := os.ReadFile(t)
		if err != nil {
			continue
		}
		for _, child := range strings.Fields(string(data)) {
			var c int
			if _, err := fmt.Sscan(child, &c); err == nil {
				below, _ := groupMemory(c)
				now += below
			}
		}
	}
	return now, peak
}

// head keeps the first bytes written to it: Go's panics say what happened first.
type head struct {
	bytes.Buffer
	limit int
}

func (h *head) Write(p []byte) (int, error) {
	if room := h.limit - h.Len(); room > 0 {
		h.Buffer.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}
