package run

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"queens/experiments"
	"queens/experiments/record"
	"queens/internal/system"
)

// Rerun says which of a set's points to repeat.
type Rerun struct {
	Quick float64 // seconds: repeat up to mostQuick points of at most this, and longer ones up to sampleTimes this; 0: every point
	Seed  uint64  // of the random samples
}

// mostQuick is the largest number of quick points that are repeated. If there are more, such
// as points that differ only in a seed, a random sample is repeated.
const mostQuick = 100

// sampleTimes bounds the total time of the sample of longer points, as a multiple of
// Quick.
const sampleTimes = 20

// Again is the result of repeating runs.
type Again struct {
	Dir         string   `json:"dir"`
	Made        int      `json:"repeated"`    // points
	Left        int      `json:"skipped"`     // points
	Missing     string   `json:"missing"`     // how many runs of the configuration have no record; empty if all have
	Unmade      []string `json:"reasons"`     // why points cannot be repeated here, a line for each reason
	Differences []string `json:"differences"` // what differs from the records, each with its run
}

// Again repeats one run of each point of a record set, and compares the columns that do
// not depend on the machine with all rows of the point.
func (r *Runner) Again(ctx context.Context, set record.Set, which Rerun) (result Again, err error) {
	coverage, err := set.Coverage()
	if err != nil {
		return result, err
	}
	result.Missing = coverage.String()
	for _, program := range coverage.LeftOut {
		result.Unmade = append(result.Unmade, "no record with "+program)
	}
	if r.temporary, err = system.NewTemp("queens-run"); err != nil {
		return result, err
	}
	defer r.temporary.Remove()
	points, failed, err := pointsOf(set)
	if err != nil {
		return result, err
	}
	if failed > 0 { // whether a limit is hit depends on the machine
		result.Unmade = append(result.Unmade, fmt.Sprintf("%d without a run that succeeded", failed))
	}
	if set.Kind == nil {
		result.Unmade = []string{fmt.Sprintf("this version has no task %q; commit %s, which made the records, has it",
			set.Spec.Task, set.Environments[0].Revision)}
		result.Left = len(points) + failed
		return result, nil
	}
	var unmade reasons
	for _, p := range which.choose(points) {
		task, err := set.Kind.Task(set.Parameters(p.rows[0]), set.Spec.Programs())
		if err != nil {
			unmade.add(p, "the task has changed: %v", err)
			continue
		}
		if needed := task.Program(); needed != nil {
			if err := needed.Check(ctx); err != nil {
				unmade.add(p, "%v", err)
				continue
			}
		}
		e, err := r.measure(ctx, task, set.Spec)
		if err != nil {
			return result, err
		}
		if e.outcome == record.Timeout { // a limit depends on the machine, as for recorded runs
			unmade.add(p, "%s", e.reason)
			continue
		}
		if then, now := p.program(e); then != now { // another version may do other work
			unmade.add(p, "made by %s, which is %s here", then, now)
			continue
		}
		result.Made++
		result.Differences = append(result.Differences, p.differences(e, set.Deterministic(p.rows[0]), set.Columns)...)
		if e.outcome == record.OK && task.Timed() == nil { // a timed result may vary, and its checks with it
			result.Differences = append(result.Differences, p.checks(task, e.reply.Checked)...)
		}
	}
	result.Left = len(points) + failed - result.Made
	result.Unmade = append(result.Unmade, unmade.lines()...)
	return result, nil
}

// reasons says why points cannot be repeated: the points of each reason, in the sequence in which they came.
type reasons struct {
	list []string
	of   map[string][]*again
}

func (r *reasons) add(p *again, format string, args ...any) {
	why := fmt.Sprintf(format, args...)
	if r.of == nil {
		r.of = map[string][]*again{}
	}
	if r.of[why] == nil {
		r.list = append(r.list, why)
	}
	r.of[why] = append(r.of[why], p)
}

// lines returns one line for each reason.
func (r *reasons) lines() (lines []string) {
	for _, why := range r.list {
		points := r.of[why]
		if first := points[0].rows[0].ID(); len(points) == 1 {
			lines = append(lines, fmt.Sprintf("run %s: %s", first, why))
		} else {
			lines = append(lines, fmt.Sprintf("%d points: %s; the first is run %s", len(points), why, first))
		}
	}
	return lines
}

// again is a point whose runs succeeded.
type again struct {
	rows    []record.Row
	seconds float64 // the longest of its runs
}

// pointsOf returns the points of a set with a run that succeeded, and the number of the others.
func pointsOf(set record.Set) (points []*again, failed int, err error) {
	byParams, without := map[string]*again{}, map[string]bool{}
	for _, row := range set.Rows {
		params, err := set.Columns.Parameters(row.Cell)
		if err != nil {
			return nil, 0, err
		}
		if row.Outcome() != record.OK {
			without[string(params)] = true
			continue
		}
		p, ok := byParams[string(params)]
		if !ok {
			p = &again{}
			byParams[string(params)] = p
			points = append(points, p)
		}
		p.rows = append(p.rows, row)
		wall, _ := row.Number("wall_seconds")
		p.seconds = max(p.seconds, wall)
	}
	for params := range without {
		if byParams[params] == nil {
			failed++
		}
	}
	return points, failed, nil
}

// choose returns every point or, if Quick is set, a random sample of the quick ones and of the others.
func (w Rerun) choose(points []*again) (chosen []*again) {
	if w.Quick == 0 {
		return points
	}
	points = slices.Clone(points)
	rand.New(rand.NewPCG(w.Seed, 0)).Shuffle(len(points), func(i, j int) { points[i], points[j] = points[j], points[i] })
	quick, left := 0, sampleTimes*w.Quick
	for _, p := range points {
		switch {
		case p.seconds <= w.Quick && quick < mostQuick:
			quick++
		case p.seconds > w.Quick && p.seconds <= left:
			left -= p.seconds
		default:
			continue
		}
		chosen = append(chosen, p)
	}
	return chosen
}

// program returns the outside program of the recorded runs and that of the repeated run, each as its version
// and command. Both are empty if the repeated run needs no program.
func (p *again) program(e ending) (then, now string) {
	for _, c := range []string{"solver_is", "engine_is"} {
		if now = e.reply.Values[c]; now != "" {
			return p.rows[0].Cell(c), now
		}
	}
	return "", ""
}

// differences lists how a repeated run differs from the rows of its point, in the given columns.
func (p *again) differences(e ending, compared []string, columns experiments.Columns) (list []string) {
	if e.outcome != record.OK {
		return []string{fmt.Sprintf("run %s: ok, now %s: %s", p.rows[0].ID(), e.outcome, e.reason)}
	}
	now := maps.Clone(e.reply.Values)
	now["answer"] = experiments.Brief(e.reply.Answer)
	for _, row := range p.rows {
		for _, c := range compared {
			if row.Cell(c) != now[c] {
				list = append(list, fmt.Sprintf("run %s (%s): %s %s, now %s", row.ID(), row.Words(columns.In(experiments.Parameter)), c,
					cmp.Or(record.Brief(row.Cell(c)), "nothing"), cmp.Or(record.Brief(now[c]), "nothing")))
			}
		}
	}
	return list
}

// checks lists how the checks of the rows differ from those of the repeated run: by the run itself (found lists its
// checks), the known answer, and references. A row may lack a reference, whose time limit depends on the machine. Only
// the first word of a name is compared, a reference's back-end, since methods are renamed. A recorded name may fall away
// only if it turned out to share code with what answers.
func (p *again) checks(task experiments.Task, found string) (list []string) {
	who := func(names ...string) (list []string) {
		for _, name := range names {
			if first, _, _ := strings.Cut(name, " "); first != "" && !slices.Contains(list, first) {
				list = append(list, first)
			}
		}
		return list
	}
	now := who(append(strings.Split(found, ";"), task.Known().Source)...)
	possible := slices.Clone(now)
	possible = append(possible, task.Kin()...)
	for _, reference := range task.References() {
		possible = append(possible, who(reference.Title())...)
	}
	for _, row := range p.rows {
		then := who(strings.Split(row.Cell("checked_by"), ";")...)
		for _, name := range then {
			if !slices.Contains(possible, name) {
				list = append(list, fmt.Sprintf("run %s: checked_by %s, now nothing of that name", row.ID(), name))
			}
		}
		for _, name := range now {
			if !slices.Contains(then, name) {
				list = append(list, fmt.Sprintf("run %s: not checked_by %s, which checks it now", row.ID(), name))
			}
		}
	}
	return list
}
