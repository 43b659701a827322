package experiments

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Progress is told of each record as it is written.
type Progress interface {
	Begin(total, todo int)
	Done(r Record)
	End()
}

// Runner measures runs one after the other.
type Runner struct {
	Self     Command // starts a process that does one run
	Kind     Kind
	Progress Progress

	answers map[string]ending // of references, by their parameters
	warm    map[string]bool   // points whose warm-ups are done
}

// Run measures those of the runs that are missing in the store, in the order
// given, and appends a record for each as it ends. It stops early only when ctx ends, when the store
// cannot be written, or when no process can be started: then every record
// written so far stands, and the error is returned.
func (r *Runner) Run(ctx context.Context, st *Store, runs []Run) error {
	r.answers, r.warm = map[string]ending{}, map[string]bool{}
	done := st.Done()
	r.Progress.Begin(len(runs), len(st.Missing(runs)))
	defer r.Progress.End()
	for _, run := range runs {
		if done[run.ID] {
			continue
		}
		rec, err := r.one(ctx, st, run)
		if err != nil {
			return err
		}
		if err := st.Append(rec); err != nil {
			return err
		}
		r.Progress.Done(rec)
	}
	return nil
}

// one measures a run and judges its answer.
func (r *Runner) one(ctx context.Context, st *Store, run Run) (Record, error) {
	limits := st.Spec.Limits
	if !r.warm[run.point()] {
		r.warm[run.point()] = true
		for range st.Spec.Warmups {
			if _, err := r.Self.measure(ctx, run.Task, run.Params, limits); err != nil {
				return nil, err
			}
		}
	}
	started := now()
	e, err := r.Self.measure(ctx, run.Task, run.Params, limits)
	if err != nil {
		return nil, err
	}
	rec, err := flattenJSON(run.Params)
	if err != nil {
		return nil, err
	}
	record := Record(rec)
	for name, v := range e.reply.Values {
		record[name] = v
	}
	if e.reply.Values == nil { // the process did not live to measure itself
		record["wall_seconds"] = formatSeconds(e.wall.Seconds())
		record["user_seconds"] = formatSeconds(e.usage.user.Seconds())
		record["system_seconds"] = formatSeconds(e.usage.system.Seconds())
		if e.peak > 0 {
			record["peak_rss_bytes"] = strconv.FormatUint(e.peak, 10)
		}
	}
	record["schema"], record["id"], record["task"] = RecordSchema, run.ID, run.Task
	record["repeat"], record["started"], record["environment"] = strconv.Itoa(run.Repeat), started, st.env.ID
	record["position"] = strconv.Itoa(run.Position)
	record["outcome"], record["reason"] = string(e.outcome), e.reason
	switch e.outcome {
	case Wrong:
		record["agree"], record["checked_by"] = "no", e.reply.Wrong
	case OK:
		record["answer"] = short(e.reply.Answer)
		if err := r.judge(ctx, record, run, e.reply.Answer, limits); err != nil {
			return nil, err
		}
	}
	return record, nil
}

// short keeps answers readable, and comparable when they are long.
func short(answer string) string {
	if len(answer) <= 100 {
		return answer
	}
	return hash([]byte(answer))
}

// judge compares an answer with the known one and with the references'. They
// run after the measured process has ended, each once for all runs that it
// serves, so they cost no measured time.
func (r *Runner) judge(ctx context.Context, record Record, run Run, answer string, limits Limits) error {
	task, err := r.Kind.task(run.Params)
	if err != nil {
		return err
	}
	var checkedBy, against []string
	if k, ok := task.(Known); ok {
		if known, source := k.KnownAnswer(); source != "" {
			checkedBy = append(checkedBy, source)
			if known != answer {
				against = append(against, fmt.Sprintf("%s says %s", source, short(known)))
			}
		}
	}
	if t, ok := task.(Referred); ok {
		for _, reference := range t.References() {
			name, e, err := r.reference(ctx, reference, limits)
			if err != nil {
				return err
			}
			if e.outcome != OK {
				continue // it has no answer to compare
			}
			checkedBy = append(checkedBy, name)
			if e.reply.Answer != answer {
				against = append(against, fmt.Sprintf("%s says %s", name, short(e.reply.Answer)))
			}
		}
	}
	record["checked_by"] = strings.Join(checkedBy, ";")
	switch {
	case len(against) > 0:
		record["agree"] = "no"
		record["outcome"], record["reason"] = string(Wrong), "the answer is "+short(answer)+", but "+strings.Join(against, " and ")
	case len(checkedBy) > 0:
		record["agree"] = "yes"
	}
	return nil
}

// reference runs a task for its answer.
func (r *Runner) reference(ctx context.Context, task Task, limits Limits) (name string, e ending, err error) {
	params, err := json.Marshal(task)
	if err != nil {
		return "", ending{}, err
	}
	if s, ok := task.(fmt.Stringer); ok {
		name = s.String()
	} else {
		name = r.Kind.Name
	}
	key := string(params)
	e, ok := r.answers[key]
	if !ok {
		if e, err = r.Self.measure(ctx, r.Kind.Name, params, limits); err != nil {
			return "", ending{}, err
		}
		r.answers[key] = e
	}
	return name, e, nil
}

// Tally counts records by outcome.
func Tally(records []Record) map[Outcome]int {
	t := map[Outcome]int{}
	for _, r := range records {
		t[r.Outcome()]++
	}
	return t
}
