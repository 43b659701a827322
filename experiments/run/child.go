package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"strconv"
	"strings"
	"time"

	"queens/experiments"
	"queens/internal/param"
	"queens/internal/system"
	"queens/internal/system/program"
)

// request is what the harness writes to a run's process.
type request struct {
	Task       string               `json:"task"`
	Parameters map[string]string    `json:"parameters"`
	Programs   program.Descriptions `json:"programs,omitempty"`
	Memory     uint64               `json:"memory"`
}

// reply is what the process writes back: one whenever it enters a phase, with the
// measurements so far, maybe one with each part of its answer, and one at its end.
type reply struct {
	Phase   string            `json:"phase,omitempty"` // the column of the phase entered
	Part    *string           `json:"part,omitempty"`  // the answer to one of several questions
	Answer  string            `json:"answer"`
	Checked string            `json:"checked,omitempty"` // what the run compared its finding with
	Proved  bool              `json:"proved,omitempty"`
	Error   string            `json:"error,omitempty"`
	Wrong   string            `json:"wrong,omitempty"`   // what refutes the answer, when Error is a Contradiction
	Stopped string            `json:"stopped,omitempty"` // the signal that ended ctx
	Values  map[string]string `json:"values"`            // results and measurements, by column
}

// wall returns the time that the task has taken, as the process measured it.
func (r reply) wall() time.Duration {
	seconds, _ := strconv.ParseFloat(r.Values["wall_seconds"], 64)
	return time.Duration(seconds * float64(time.Second))
}

// peak returns the highest resident memory of the process in bytes, as it measured it; 0 if it is not known. The
// harness would miss that of a run of a few milliseconds.
func (r reply) peak() uint64 {
	peak, _ := strconv.ParseUint(r.Values["peak_rss_bytes"], 10, 64)
	return peak
}

// memorySlack is how much a process may map beyond its limit before the kernel
// refuses. The harness kills it by its resident memory; this backstop is for memory
// that grows faster than the harness looks. It is large because Go maps its heap in
// arenas of 64 MiB before touching them.
const memorySlack = 512 << 20

// One does a run in its own process: it reads the parameters from in, measures the task and writes its
// findings to out. If in ends early, the harness has died, and the process group kills itself.
func One(ctx context.Context, kinds experiments.Kinds, in io.Reader, out io.Writer) error {
	d := json.NewDecoder(in)
	var q request
	if err := d.Decode(&q); err != nil {
		return fmt.Errorf("reading a run's parameters: %w", err)
	}
	kind, err := kinds.Named(q.Task)
	if err != nil {
		return err
	}
	task, err := kind.Task(q.Parameters, q.Programs)
	if err != nil {
		return err
	}
	system.EndWith(in)
	if q.Memory > 0 {
		if err := system.LimitData(q.Memory + memorySlack); err != nil {
			return err
		}
	}

	stopped := system.CountStops()
	e := json.NewEncoder(out)
	meter := &experiments.Meter{
		Stopped:   stopped,
		Processor: func() time.Duration { user, kernel := system.ProcessorTime(); return user + kernel },
		Entered: func(p experiments.Phase, seconds map[string]string) {
			_ = e.Encode(reply{Phase: p.Column(), Values: seconds}) // if the harness is gone, EndWith ends us
		},
		Answered: func(answer string) { _ = e.Encode(reply{Part: &answer}) },
	}
	task.Warm(ctx)
	r, err := measured(ctx, task, meter)
	if err != nil {
		return fmt.Errorf("results of a %s run: %w", q.Task, err)
	}
	return e.Encode(r)
}

// measured runs the task and returns its findings and measurements.
func measured(ctx context.Context, task experiments.Task, meter *experiments.Meter) (reply, error) {
	userBefore, systemBefore := system.ProcessorTime()
	start, before := time.Now(), meter.Stopped()
	finding, err := task.Run(ctx, meter)
	wall := time.Since(start) - (meter.Stopped() - before)
	userAfter, systemAfter := system.ProcessorTime()
	peak, _ := system.PeakMemory() // 0 if it is not known

	r := reply{Answer: finding.Answer, Checked: finding.CheckedBy, Proved: finding.Proved, Values: meter.Seconds()}
	if err != nil && ctx.Err() != nil {
		r.Stopped = strings.TrimSuffix(context.Cause(ctx).Error(), " signal received")
	} else if err != nil {
		r.Error = err.Error()
		var c *experiments.Contradiction
		if errors.As(err, &c) {
			r.Wrong = c.By
		}
	}
	costs(r.Values, wall, userAfter-userBefore, systemAfter-systemBefore, peak)
	if finding.Values != nil {
		found, err := param.Flatten(finding.Values)
		if err != nil {
			return reply{}, err
		}
		maps.Copy(r.Values, found)
	}
	return r, nil
}
