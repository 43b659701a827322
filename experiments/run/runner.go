package run

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"time"

	"queens/experiments"
	"queens/experiments/config"
	"queens/experiments/record"
	"queens/internal/system"
)

// Runner measures runs one after the other.
type Runner struct {
	Self     Command // starts a process that does one run
	Progress *Progress

	temporary *system.Temp
	answers   map[string]ending // of references, by their parameters
}

// Run measures the runs that are missing in the store, in the given order, and appends a
// row for each as it ends. It stops early only if ctx ends, the store cannot be written, or
// no process can be started: it then returns the error, and the rows written so far are
// kept.
func (r *Runner) Run(ctx context.Context, st *record.Store, runs []experiments.Run) (err error) {
	if r.temporary, err = system.NewTemp("queens-run"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.temporary.Remove()) }()
	r.answers = map[string]ending{}
	missing := st.Missing(runs)
	r.Progress.begin(len(runs), len(missing))
	defer r.Progress.end()
	for _, run := range missing {
		row, err := r.one(ctx, st, run)
		if err != nil {
			return err
		}
		if err := st.Append(row); err != nil {
			return err
		}
		r.Progress.done(row)
	}
	if err := st.Intact(); err != nil {
		return err
	}
	return st.Judge()
}

func (r *Runner) measure(ctx context.Context, task experiments.Task, s config.Spec) (ending, error) {
	return r.Self.measure(ctx, task, s, r.temporary.Dir)
}

// one measures a run and judges its answer.
func (r *Runner) one(ctx context.Context, st *record.Store, run experiments.Run) (row record.Row, err error) {
	started, load := record.Now(), system.Load()
	e, err := r.measure(ctx, run.Task, st.Spec)
	if err != nil {
		return row, err
	}
	cells := e.cells(run)
	cells["started"], cells["load"], cells["environment"] = started, load, st.Environment()
	switch e.outcome {
	case record.Wrong:
		cells["agree"], cells["checked_by"] = "no", e.reply.Wrong
	case record.OK:
		cells["answer"] = experiments.Brief(e.reply.Answer)
		if err := r.judge(ctx, cells, run, e.reply, st.Spec); err != nil {
			return row, err
		}
	}
	return record.NewRow(st.Columns, cells), nil
}

// cells returns the record of a run, by column, without the columns that judging its answer adds.
func (e ending) cells(run experiments.Run) map[string]string {
	cells := run.Task.Parameters()
	maps.Copy(cells, e.reply.Values)
	if e.reply.Values == nil { // the process ended before it could report its own measurements
		maps.Copy(cells, e.phases)
		cells["unfinished"] = e.phase
		costs(cells, e.wall, e.user, e.kernel, e.peak)
	}
	cells["schema"], cells["id"], cells["task"] = record.SchemaVersion, run.ID, run.Task.Kind.Name
	cells["repeat"], cells["position"] = strconv.Itoa(run.Repeat), strconv.Itoa(run.Position)
	cells["outcome"], cells["reason"] = string(e.outcome), e.reason
	return cells
}

// costs sets the columns of what a run took as a whole; a peak of 0 is not known.
func costs(cells map[string]string, wall, user, kernel time.Duration, peak uint64) {
	for column, d := range map[string]time.Duration{"wall_seconds": wall, "user_seconds": user, "system_seconds": kernel} {
		cells[column] = experiments.FormatSeconds(d.Seconds())
	}
	if peak > 0 {
		cells["peak_rss_bytes"] = strconv.FormatUint(peak, 10)
	}
}

// judge compares an answer with the known one and, unless the run has proved it, with the references' answers, of
// which a limit may leave only the first questions', and notes what the run itself compared it with. References run
// after the measured process has ended, each once for all runs that need it, so they do not affect the measured time.
func (r *Runner) judge(ctx context.Context, cells map[string]string, run experiments.Run, found reply, s config.Spec) error {
	answer, task := found.Answer, run.Task
	var checkedBy, against []string
	compare := func(with, theirs string) {
		checkedBy = append(checkedBy, with)
		if theirs != answer {
			against = append(against, fmt.Sprintf("%s says %s", with, experiments.Brief(theirs)))
		}
	}
	if found.Checked != "" {
		checkedBy = append(checkedBy, found.Checked)
	}
	if known := task.Known(); known.Source != "" {
		compare(known.Source, known.Answer)
	}
	var references []experiments.Task
	if !found.Proved {
		references = task.References()
	}
	for _, reference := range references {
		name := reference.Title()
		e, err := r.reference(ctx, reference, s)
		if err != nil {
			return err
		}
		switch parts := strings.Join(e.parts, experiments.Between); {
		case e.outcome != record.OK && len(e.parts) > 0:
			name = experiments.Part(name, len(e.parts), 1+strings.Count(answer, experiments.Between))
			if strings.HasPrefix(answer+experiments.Between, parts+experiments.Between) {
				parts = answer
			}
			compare(name, parts)
		case e.outcome == record.OK:
			compare(name, e.reply.Answer)
			for _, column := range task.Kind.Agree {
				if a, b := found.Values[column], e.reply.Values[column]; a != "" && b != "" && a != b {
					against = append(against, fmt.Sprintf("%s has %s %s, this run %s", name, column, b, a))
				}
			}
		}
	}
	cells["checked_by"] = strings.Join(checkedBy, ";")
	switch {
	case len(against) > 0:
		cells["agree"], cells["outcome"] = "no", string(record.Wrong)
		cells["reason"] = "the answer is " + experiments.Brief(answer) + ", but " + strings.Join(against, " and ")
	case len(checkedBy) > 0:
		cells["agree"] = "yes"
	}
	return nil
}

// reference returns the ending of a reference, which it runs only once.
func (r *Runner) reference(ctx context.Context, task experiments.Task, s config.Spec) (ending, error) {
	params, err := task.JSON()
	if err != nil {
		return ending{}, err
	}
	e, known := r.answers[string(params)]
	if !known {
		if e, err = r.measure(ctx, task, s); err != nil {
			return ending{}, err
		}
		r.answers[string(params)] = e
	}
	return e, nil
}
