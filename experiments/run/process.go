package run

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"queens/experiments/record"
	"queens/experiments/spec"
	"queens/system"
)

// ending is how a run's process ended.
type ending struct {
	outcome      record.Outcome
	reason       string
	reply        reply
	phase        string            // the last that it entered
	phases       map[string]string // and what those before it took
	wall         time.Duration
	user, kernel time.Duration
	peak         uint64
}

// watchEvery is how often a process's memory is looked at. A process that takes
// memory at 2 GiB/s is over its limit by 20 MiB at most when it is seen.
const watchEvery = 10 * time.Millisecond

// process is a run's process and what it wrote.
type process struct {
	cmd      *exec.Cmd
	tree     *system.Tree
	stdin    io.WriteCloser
	stdout   bytes.Buffer
	stderr   head
	writeErr error
	started  time.Time
	limits   spec.Limits
}

// measure runs one task in a process tree of its own, under the limits. It fails
// only when ctx ends, or when no process can be started.
func (c Command) measure(
	ctx context.Context,
	task string,
	params json.RawMessage,
	s spec.Spec,
	temporary string,
) (ending, error) {
	// A run that is killed cannot remove its temporary files.
	dir, err := os.MkdirTemp(temporary, "")
	if err != nil {
		return ending{}, fmt.Errorf("starting a run: %w", err)
	}
	defer os.RemoveAll(dir)
	p := &process{limits: s.Limits, stderr: head{limit: 4096}}
	env := append(os.Environ(), "TMPDIR="+dir, "TMP="+dir, "TEMP="+dir)
	p.cmd = &exec.Cmd{Path: c.Path, Args: c.Args, Env: env, Stdout: &p.stdout, Stderr: &p.stderr}
	if err := p.start(request{Task: task, Params: params, Programs: s.Programs(), Memory: uint64(s.Limits.Memory)}); err != nil {
		return ending{}, err
	}
	defer p.tree.Close()
	defer p.stdin.Close()
	e, err := p.watch(ctx)
	if err != nil {
		return ending{}, err
	}
	return e, nil
}

func (p *process) start(q request) (err error) {
	text, err := json.Marshal(q)
	if err != nil {
		return err
	}
	if p.stdin, err = p.cmd.StdinPipe(); err != nil {
		return fmt.Errorf("starting a run: %w", err)
	}
	p.started = time.Now()
	if p.tree, err = system.Start(p.cmd, q.Memory+memorySlack); err != nil {
		return fmt.Errorf("starting a run: %w", err)
	}
	// The pipe stays open while the run lives: its end tells the run that the
	// harness is gone.
	_, p.writeErr = p.stdin.Write(append(text, '\n'))
	return nil
}

// watch waits for the process's end, or ends it at a limit or with ctx.
func (p *process) watch(ctx context.Context) (e ending, err error) {
	exited := make(chan error, 1)
	go func() { exited <- p.cmd.Wait() }()
	deadline := time.NewTimer(time.Duration(p.limits.WallClock))
	defer deadline.Stop()
	look := time.NewTicker(watchEvery)
	defer look.Stop()
	for {
		select {
		case waitErr := <-exited:
			e.wall = time.Since(p.started)
			e.user, e.kernel = p.cmd.ProcessState.UserTime(), p.cmd.ProcessState.SystemTime()
			return e, p.decide(ctx, &e, waitErr)
		case <-ctx.Done():
			p.tree.Kill()
			<-exited
			return ending{}, ctx.Err()
		case <-deadline.C:
			if e.outcome == "" {
				e.outcome, e.reason = record.Timeout, fmt.Sprintf("not finished after %s", p.limits.WallClock)
				p.tree.Kill()
			}
		case <-look.C:
			now, peak := p.tree.Memory()
			e.peak = max(e.peak, peak)
			if e.outcome == "" && now > uint64(p.limits.Memory) {
				e.outcome = record.MemoryLimit
				e.reason = fmt.Sprintf("%d bytes resident, limit %s", now, p.limits.Memory)
				p.tree.Kill()
			}
		}
	}
}

// grace is how long an end that nothing explains waits for the harness's own: who
// terminates a whole job signals the processes in any order, milliseconds apart.
const grace = 500 * time.Millisecond

// decide is the one place that says what the end of a run's process means: its
// outcome, or an error when there must not be a record, since the harness itself
// was told to stop.
func (p *process) decide(ctx context.Context, e *ending, waitErr error) error {
	replyErr := p.replies(e)
	if e.outcome == "" {
		p.read(e, waitErr, replyErr)
	}
	if e.outcome == record.Killed || e.outcome == record.Failed {
		select {
		case <-ctx.Done():
		case <-time.After(grace):
		}
	}
	return ctx.Err()
}

// replies reads what the process wrote: the phases that it entered, with what it had
// measured until then, and its last word, without which it fails.
func (p *process) replies(e *ending) error {
	d := json.NewDecoder(&p.stdout)
	for {
		var r reply
		if err := d.Decode(&r); err != nil {
			return err
		}
		if r.Phase == "" {
			e.reply = r
			return nil
		}
		e.phase, e.phases = r.Phase, r.Values
	}
}

// dumped is how Go's runtime begins to say that SIGQUIT met it before the program listened
// for signals; the program then ends with exit status 2.
const dumped = "SIGQUIT: quit"

// read tells how a process ended that no limit ended.
func (p *process) read(e *ending, waitErr, replyErr error) {
	said := p.stderr.String()
	switch signal := system.Signal(p.cmd.ProcessState); {
	case signal != "":
		e.outcome, e.reason = record.Killed, "ended by signal: "+signal
	case waitErr != nil && strings.HasPrefix(said, dumped):
		e.outcome, e.reason = record.Killed, "ended by signal: quit"
	case waitErr != nil && (strings.Contains(said, "out of memory") || strings.Contains(said, "cannot allocate memory")):
		e.outcome = record.MemoryLimit
		e.reason = fmt.Sprintf("the system refused memory beyond the limit %s", p.limits.Memory)
	case waitErr != nil:
		e.outcome = record.Failed
		e.reason = strings.TrimSpace(fmt.Sprintf("%v: %s", waitErr, firstLine(said)))
	default:
		if replyErr != nil {
			e.outcome = record.Failed
			e.reason = fmt.Sprintf(
				"the run's process left no readable reply: %v: %s",
				errors.Join(replyErr, p.writeErr),
				firstLine(said),
			)
			return
		}
		switch r := e.reply; {
		case r.Stopped != "":
			e.outcome, e.reason = record.Killed, "ended by signal: "+r.Stopped
		case r.Wrong != "":
			e.outcome, e.reason = record.Wrong, r.Error
		case r.Error != "":
			e.outcome, e.reason = record.Failed, r.Error
		default:
			e.outcome = record.OK
		}
	}
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
