package experiments

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// request is what the harness writes to a run's process.
type request struct {
	Task   string          `json:"task"`
	Params json.RawMessage `json:"params"`
	Memory uint64          `json:"memory"`
}

// reply is what the process writes back.
type reply struct {
	Answer string            `json:"answer"`
	Error  string            `json:"error,omitempty"`
	Wrong  string            `json:"wrong,omitempty"` // what refutes the answer, when Error is a Contradiction
	Values map[string]string `json:"values"`          // results and costs, by column
}

// memorySlack is how far a process may allocate beyond its limit before the
// kernel refuses. The harness ends it by what is resident; this backstop is for
// what grows faster than the harness looks, and is wide because Go maps its heap
// in arenas of 64 MiB before touching them.
const memorySlack = 512 << 20

// RunOne is the whole life of a run's process: it reads its parameters from in,
// measures the task and writes what it found to out. When in ends early the
// harness has died, and the process group ends itself.
func RunOne(ctx context.Context, kinds Kinds, in io.Reader, out io.Writer) error {
	d := json.NewDecoder(in)
	var q request
	if err := d.Decode(&q); err != nil {
		return fmt.Errorf("reading a run's parameters: %w", err)
	}
	kind, err := kinds.Named(q.Task)
	if err != nil {
		return err
	}
	task, err := kind.task(q.Params)
	if err != nil {
		return err
	}
	if syscall.Getpgrp() == os.Getpid() { // not when a person tries the command in a shell
		go func() {
			_, _ = io.Copy(io.Discard, in)
			_ = syscall.Kill(0, syscall.SIGKILL)
		}()
	}
	if q.Memory > 0 {
		limit := unix.Rlimit{Cur: q.Memory + memorySlack, Max: q.Memory + memorySlack}
		if err := unix.Setrlimit(unix.RLIMIT_DATA, &limit); err != nil {
			return fmt.Errorf("limiting memory to %d bytes: %w", limit.Cur, err)
		}
	}

	meter := &Meter{}
	before, start := processorTime(), time.Now()
	finding, err := task.Run(ctx, meter)
	wall, after := time.Since(start), processorTime()
	_, peak, memErr := memoryOf("self")

	r := reply{Answer: finding.Answer, Values: meter.seconds()}
	if err != nil {
		r.Error = err.Error()
		var c *Contradiction
		if errors.As(err, &c) {
			r.Wrong = c.By
		}
	}
	r.Values["wall_seconds"] = formatSeconds(wall.Seconds())
	r.Values["user_seconds"] = formatSeconds((after.user - before.user).Seconds())
	r.Values["system_seconds"] = formatSeconds((after.system - before.system).Seconds())
	if memErr == nil {
		r.Values["peak_rss_bytes"] = fmt.Sprint(peak)
	}
	if finding.Values != nil {
		found, err := flatten(finding.Values)
		if err != nil {
			return fmt.Errorf("results of a %s run: %w", q.Task, err)
		}
		for name, v := range found {
			r.Values[name] = v
		}
	}
	return json.NewEncoder(out).Encode(r)
}

// Self returns the command that starts this program's hidden command for one
// run. The name it was called by is kept, since it may tell programs apart.
func Self(hidden string) (Command, error) {
	exe, err := os.Executable()
	if err != nil {
		return Command{}, fmt.Errorf("finding the harness' own executable: %w", err)
	}
	if len(os.Args) == 0 {
		return Command{}, errors.New("finding the harness' own name: no arguments")
	}
	return Command{Path: exe, Args: []string{os.Args[0], hidden}}, nil
}

// Command is an executable and its arguments, its own name first.
type Command struct {
	Path string
	Args []string
}
