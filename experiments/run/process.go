package run

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"queens/experiments"
	"queens/experiments/config"
	"queens/experiments/record"
	"queens/internal/system"
)

// Self returns the command that starts this program's hidden command for one run. The
// name that the program was called by is kept, since programs may behave differently by
// name.
func Self(hidden string) (Command, error) {
	path, err := system.Executable()
	if err != nil {
		return Command{}, fmt.Errorf("finding the harness's own executable: %w", err)
	}
	file, err := os.Stat(path)
	if err != nil {
		return Command{}, fmt.Errorf("finding the harness's own executable: %w", err)
	}
	return Command{Path: path, Args: []string{os.Args[0], hidden}, file: file}, nil
}

// Command is an executable and its arguments, starting with its own name.
type Command struct {
	Path string
	Args []string
	file os.FileInfo // the executable at the start; nil: do not check
}

// unchanged returns an error if the executable has been replaced: records name the program that made them,
// and the new file may be another program.
func (c Command) unchanged() error {
	if c.file == nil {
		return nil
	}
	now, err := os.Stat(c.Path)
	if err != nil || !os.SameFile(c.file, now) || now.Size() != c.file.Size() || !now.ModTime().Equal(c.file.ModTime()) {
		return fmt.Errorf("%s has been replaced since this harness began: start it again with --resume", c.Path)
	}
	return nil
}

// ending is how a run's process ended.
type ending struct {
	outcome      record.Outcome
	reason       string
	reply        reply
	parts        []string          // answers to questions, of a run that checks others
	phase        string            // the last phase that it entered
	phases       map[string]string // seconds of the phases before it
	wall         time.Duration
	user, kernel time.Duration
	peak         uint64
}

// process is a run's process and what it wrote.
type process struct {
	cmd      *exec.Cmd
	tree     *system.Tree
	stdout   head
	stderr   head
	writeErr error
	limits   config.Limits
}

// measure runs one task in its own process tree, under the limits. It fails only if ctx
// ends, no process can be started, or the executable has been replaced.
func (c Command) measure(
	ctx context.Context, task experiments.Task, s config.Spec, temporary string,
) (ending, error) {
	// A run that is killed cannot remove its temporary files.
	dir, err := os.MkdirTemp(temporary, "")
	if err != nil {
		return ending{}, fmt.Errorf("starting a run: %w", err)
	}
	defer os.RemoveAll(dir)
	p := &process{limits: s.Limits, stdout: head{limit: maxReplies}, stderr: head{limit: 4096}}
	env := append(os.Environ(), "TMPDIR="+dir, "TMP="+dir, "TEMP="+dir)
	p.cmd = &exec.Cmd{Path: c.Path, Args: c.Args, Env: env, Stdout: &p.stdout, Stderr: &p.stderr,
		WaitDelay: grace} // for a process that outlives the run and keeps its output open
	stdin, err := p.cmd.StdinPipe()
	if err != nil {
		return ending{}, fmt.Errorf("starting a run: %w", err)
	}
	// The pipe stays open while the run lives: when it closes, the run knows that the
	// harness is gone.
	defer stdin.Close()
	stops, ignore := system.NotifyStop() // before the run starts, so that no request is missed
	defer ignore()
	limits := system.Limits{Memory: uint64(s.Limits.Memory) + memorySlack, Processors: s.Limits.Processors}
	if p.tree, err = system.Start(p.cmd, limits); err != nil {
		return ending{}, fmt.Errorf("starting a run: %w", err)
	}
	defer p.tree.Close()
	if err := c.unchanged(); err != nil {
		p.tree.Kill()
		_ = p.cmd.Wait()
		return ending{}, fmt.Errorf("starting a run: %w", err)
	}
	p.writeErr = json.NewEncoder(stdin).Encode(
		request{Task: task.Kind.Name, Parameters: task.Parameters(), Programs: s.Programs(), Memory: uint64(s.Limits.Memory)})
	return p.watch(ctx, stops)
}

// countdown is the time that a run has left. Time in which this process was stopped does not count. It shows
// as a gap between two looks at the clock, which are otherwise at most a tenth of a second apart.
type countdown struct {
	left time.Duration
	last time.Time
}

// longestGap is the most time between two looks that counts.
const longestGap = 2 * time.Second

// pass counts the time since the last look, and reports whether none is left.
func (c *countdown) pass(now time.Time) (over bool) {
	c.left -= min(now.Sub(c.last), longestGap)
	c.last = now
	return c.left <= 0
}

// watch waits for the process to end, and kills it at a limit or when ctx ends. When this process is asked
// to stop (Ctrl-Z), as stops tells, the run stops with it.
func (p *process) watch(ctx context.Context, stops <-chan os.Signal) (e ending, err error) {
	exited := make(chan error, 1)
	go func() { exited <- p.cmd.Wait() }()
	limit := time.Duration(p.limits.WallClock)
	clock := countdown{limit, time.Now()}
	deadline := time.NewTimer(limit)
	defer deadline.Stop()
	look := time.NewTimer(system.Pause(0, uint64(p.limits.Memory)))
	defer look.Stop()
	for {
		select {
		case waitErr := <-exited:
			clock.pass(time.Now())
			e.wall = limit - clock.left
			e.user, e.kernel = p.tree.ProcessorTime(p.cmd.ProcessState)
			return e, p.decide(ctx, &e, waitErr)
		case <-ctx.Done():
			p.tree.Kill()
			<-exited
			return ending{}, ctx.Err()
		case <-stops:
			p.tree.StopTogether()
			clock.last = time.Now()
		case <-deadline.C:
			if !clock.pass(time.Now()) {
				deadline.Reset(clock.left)
			} else if e.outcome == "" && len(exited) == 0 { // the process has not just ended
				e.outcome, e.reason = record.Timeout, fmt.Sprintf("not finished after %s", p.limits.WallClock)
				p.tree.Kill()
			}
		case <-look.C:
			clock.pass(time.Now())
			now, peak := p.tree.Memory()
			e.peak = max(e.peak, peak)
			look.Reset(system.Pause(now, uint64(p.limits.Memory)))
			if e.outcome == "" && now > uint64(p.limits.Memory) {
				e.outcome = record.MemoryLimit
				e.reason = fmt.Sprintf("%d bytes resident, limit %s", now, p.limits.Memory)
				p.tree.Kill()
			}
		}
	}
}

// grace is how long decide waits, after an unexplained end of a run, to see whether the harness is
// terminated, too. When a whole job is terminated, its processes get the signal in any order, milliseconds
// apart.
const grace = 500 * time.Millisecond

// decide classifies how a run's process ended; nothing else does. It sets the outcome, or returns an error if
// there must be no record because the harness itself has been told to stop.
func (p *process) decide(ctx context.Context, e *ending, waitErr error) error {
	replyErr := p.replies(e)
	if e.outcome == "" {
		p.read(e, waitErr, replyErr)
	}
	if wall := e.reply.wall(); e.outcome == record.OK && wall > time.Duration(p.limits.WallClock) {
		e.outcome, e.reason = record.Timeout, fmt.Sprintf("finished after %s, while the harness was stopped", wall)
		e.reply, e.wall = reply{}, wall
	}
	if peak := e.reply.peak(); e.outcome == record.OK && peak > uint64(p.limits.Memory) {
		e.outcome = record.MemoryLimit
		e.reason = fmt.Sprintf("%d bytes resident at its peak, limit %s", peak, p.limits.Memory)
		e.reply, e.wall, e.peak = reply{}, e.reply.wall(), peak
	}
	if e.outcome == record.Killed || e.outcome == record.Failed {
		select {
		case <-ctx.Done():
		case <-time.After(grace):
		}
	}
	return ctx.Err()
}

// replies reads what the process wrote: the phases that it entered, with the measurements
// so far, the parts of its answer, and its final reply. It returns an error if there is no final reply.
func (p *process) replies(e *ending) error {
	d := json.NewDecoder(&p.stdout.kept)
	for {
		var r reply
		if err := d.Decode(&r); err != nil {
			return err
		}
		switch {
		case r.Part != nil:
			e.parts = append(e.parts, *r.Part)
		case r.Phase == "":
			e.reply = r
			return nil
		default:
			e.phase, e.phases = r.Phase, r.Values
		}
	}
}

// dumped is the beginning of what Go's runtime prints if SIGQUIT arrives before the program
// handles signals; the program then exits with status 2.
const dumped = "SIGQUIT: quit"

// read sets the outcome of a process that was not killed at a limit.
func (p *process) read(e *ending, waitErr, replyErr error) {
	said := p.stderr.kept.String()
	if errors.Is(waitErr, exec.ErrWaitDelay) {
		waitErr = nil // it ended by itself
	}
	switch signal := system.Signal(p.cmd.ProcessState); {
	case signal != "" && p.tree.OutOfMemory():
		e.outcome = record.MemoryLimit
		e.reason = fmt.Sprintf("the system ended the run beyond the limit %s", p.limits.Memory)
	case signal != "":
		e.outcome, e.reason = record.Killed, "ended by signal: "+signal
	case waitErr != nil && strings.HasPrefix(said, dumped):
		e.outcome, e.reason = record.Killed, "ended by signal: quit"
	case waitErr != nil &&
		(strings.Contains(said, "out of memory") || strings.Contains(said, "cannot allocate memory")):
		e.outcome = record.MemoryLimit
		e.reason = fmt.Sprintf("the system refused memory beyond the limit %s", p.limits.Memory)
	case waitErr != nil:
		e.outcome = record.Failed
		e.reason = strings.TrimSpace(fmt.Sprintf("%v: %s", waitErr, firstLine(said)))
	case replyErr != nil:
		e.outcome = record.Failed
		e.reason = fmt.Sprintf("the run's process left no readable reply: %v: %s",
			errors.Join(replyErr, p.writeErr), firstLine(said))
	case e.reply.Stopped != "":
		e.outcome, e.reason = record.Killed, "ended by signal: "+e.reply.Stopped
	case e.reply.Wrong != "":
		e.outcome, e.reason = record.Wrong, e.reply.Error
	case e.reply.Error != "":
		e.outcome, e.reason = record.Failed, e.reply.Error
	default:
		e.outcome = record.OK
	}
}

// maxReplies is the most output of a process that is kept, in bytes: a result may be a list, but a record is
// bounded.
const maxReplies = 64 << 20

// head keeps the first bytes written to it: a Go panic begins with its cause. The buffer is a field, since
// io.Copy would use the ReadFrom of an embedded one, and keep everything.
type head struct {
	kept  bytes.Buffer
	limit int
}

func (h *head) Write(p []byte) (int, error) {
	if room := h.limit - h.kept.Len(); room > 0 {
		h.kept.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}
