package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"queens/experiments"
	"queens/experiments/config"
	"queens/experiments/record"
	"queens/internal/param"
	"queens/internal/system"
)

// startSeconds is the approximate cost of starting a run's process.
const startSeconds = 0.015

// trialTime is how long all trial runs of a plan may take.
const trialTime = 5 * time.Second

// WritePlan writes what a run of the experiment would do here, with its records in dir. Shipped records that tell how
// long its runs take are looked for beside dir, and in and above the folders from. If there are none, trial runs tell,
// each in a process of self; none starts an outside program.
func WritePlan(ctx context.Context, w io.Writer, s config.Experiment, here Makeable, self Command, dir string, from ...string) error {
	for _, what := range here.Lacking {
		fmt.Fprintf(w, "missing: %s\n", what)
	}
	for _, what := range here.LeftOut {
		fmt.Fprintf(w, "skipped: %s\n", what)
	}
	values := map[string][]string{}
	points := repeats(here.Runs)
	for task := range points {
		for name, v := range task.Parameters() {
			if v = cmp.Or(v, "(none)"); !slices.Contains(values[name], v) {
				values[name] = append(values[name], v)
			}
		}
	}
	fmt.Fprintf(w, "%s: %s\n", s.Name, s.Kind.Doc)
	for _, name := range s.Kind.Columns().In(experiments.Parameter) {
		vs := values[name]
		slices.SortFunc(vs, param.CompareValues)
		shown := vs
		if len(vs) > 12 {
			shown = append(vs[:12:12], "... "+vs[len(vs)-1])
		}
		fmt.Fprintf(w, "  %-14s %d: %s\n", name, len(vs), strings.Join(shown, ", "))
	}
	fmt.Fprintf(w, "runs: %d (points: %d, repeats: up to %d)\n", len(here.Runs), len(points), s.Repeats)
	fmt.Fprintf(w, "limits per run: %s, %s\nrecords go to %s\n", s.Limits.WallClock, s.Limits.Memory, dir)
	text, err := estimate(ctx, s, here.Runs, self, dir, from...)
	if err == nil {
		_, err = fmt.Fprintln(w, text)
	}
	return err
}

// repeats counts the runs of each point.
func repeats(runs []experiments.Run) map[experiments.Task]int {
	times := map[experiments.Task]int{}
	for _, r := range runs {
		times[r.Task]++
	}
	return times
}

// estimate says how long the runs will take. A point is expected to take the median of its earlier runs or, if it has
// none, of the runs of the points that share most of its parameters.
func estimate(ctx context.Context, s config.Experiment, runs []experiments.Run, self Command, dir string, from ...string) (string, error) {
	if len(runs) == 0 {
		return "estimate: no time, since there are no runs", nil
	}
	limits := fmt.Sprintf("at most %s, the sum of their time limits", time.Duration(len(runs))*time.Duration(s.Limits.WallClock))
	points := repeats(runs)
	where, known := earlier(s, points, dir, from)
	atLeast := ""
	if len(known) == 0 {
		var cut bool
		var err error
		if known, cut, err = trials(ctx, s, runs, self); err != nil {
			return "", err
		}
		if cut || len(known) < len(points) {
			atLeast = "at least "
		}
		where = fmt.Sprintf("trial runs of %d of %d points, smallest first", len(known), len(points))
	} else {
		where = "the records in " + where
	}
	if len(known) == 0 {
		return fmt.Sprintf("estimate: not known, since no earlier runs of task %s are here, and trials start no outside program; %s",
			s.Kind.Name, limits), nil
	}
	seconds, others := 0.0, 0
	for task, n := range points {
		parameters := task.Parameters()
		var walls []float64
		most := -1
		for _, p := range known {
			switch alike := p.alike(parameters); {
			case alike > most:
				most, walls = alike, slices.Clone(p.walls)
			case alike == most:
				walls = append(walls, p.walls...)
			}
		}
		if most < len(parameters) {
			others += n
		}
		slices.Sort(walls)
		seconds += float64(n) * (walls[len(walls)/2] + startSeconds)
	}
	text := fmt.Sprintf("estimate: %sabout %s for %d runs, by %s",
		atLeast, time.Duration(seconds*float64(time.Second)).Round(time.Second), len(runs), where)
	if others > 0 {
		text += fmt.Sprintf(", where %d of them are guessed from those most like them", others)
	}
	return text + "; " + limits, nil
}

// trials runs points of a grid once, in the order of n, until [trialTime] is nearly over, and reports whether it cut one
// short: none may take more than half of the time that is left. Points that need an outside program are not run.
func trials(ctx context.Context, s config.Experiment, runs []experiments.Run, self Command) (points []timedPoint, cut bool, err error) {
	temporary, err := system.NewTemp("queens-run")
	if err != nil {
		return nil, false, err
	}
	defer func() { err = errors.Join(err, temporary.Remove()) }()
	var tasks []experiments.Task
	for _, r := range runs {
		if r.Task.Program() == nil && !slices.Contains(tasks, r.Task) {
			tasks = append(tasks, r.Task)
		}
	}
	slices.SortStableFunc(tasks, func(a, b experiments.Task) int {
		return param.CompareValues(a.Parameters()["n"], b.Parameters()["n"])
	})
	end := time.Now().Add(trialTime)
	for _, task := range tasks {
		left := time.Until(end)
		if left < trialTime/20 {
			break
		}
		spec := s.Spec
		spec.Limits.WallClock = min(spec.Limits.WallClock, config.Duration(left/2))
		e, err := self.measure(ctx, task, spec, temporary.Dir)
		if err != nil {
			return nil, false, err
		}
		cut = cut || e.outcome == record.Timeout && spec.Limits.WallClock < s.Limits.WallClock
		points = append(points, timedPoint{task.Parameters(), []float64{e.wall.Seconds()}})
	}
	return points, cut, nil
}

// timedPoint is a point that was measured.
type timedPoint struct {
	parameters map[string]string
	walls      []float64 // of its runs, in seconds
}

// alike counts the parameters that have these values.
func (m timedPoint) alike(parameters map[string]string) (count int) {
	for name, value := range parameters {
		if m.parameters[name] == value {
			count++
		}
	}
	return count
}

// earlier returns the points of the experiment's task that were measured in dir or in a shipped set of the experiment's name,
// whichever has more of the asked ones, or else in any shipped set. These are in the folder reference beside dir, and in
// results/reference in or above the folders from.
func earlier(s config.Experiment, asked map[experiments.Task]int, dir string, from []string) (where string, points []timedPoint) {
	references := []string{filepath.Join(filepath.Dir(dir), "reference")}
	for _, folder := range from {
		for at, _ := filepath.Abs(folder); at != filepath.Dir(at); at = filepath.Dir(at) {
			references = append(references, filepath.Join(at, "results", "reference"))
		}
	}
	own := []string{dir}
	for _, reference := range references {
		own = append(own, filepath.Join(reference, filepath.Base(dir)))
	}
	most := -1
	for _, set := range own {
		found, known := measuredIn(set, s.Kind), 0
		for task := range asked {
			parameters := task.Parameters()
			if slices.ContainsFunc(found, func(p timedPoint) bool { return p.alike(parameters) == len(parameters) }) {
				known++
			}
		}
		if found != nil && known > most {
			most, where, points = known, set, found
		}
	}
	if points != nil {
		return where, points
	}
	for _, reference := range references {
		sets, _ := filepath.Glob(filepath.Join(reference, "*", record.ConfigFile))
		for _, set := range sets {
			points = append(points, measuredIn(filepath.Dir(set), s.Kind)...)
		}
		if points != nil {
			return reference, points
		}
	}
	return "", nil
}

// measuredIn returns the points of a record set; none if the set cannot be read or has another task.
func measuredIn(dir string, kind *experiments.TaskKind) (points []timedPoint) {
	text, err := os.ReadFile(filepath.Join(dir, record.ConfigFile))
	if err != nil {
		return nil
	}
	if spec, err := config.Decode(record.ConfigFile, text); err != nil || spec.Task != kind.Name {
		return nil
	}
	set, err := record.Read(dir, experiments.Kinds{kind})
	if err != nil {
		return nil
	}
	at := map[string]int{}
	for _, r := range set.Rows {
		parameters, err := set.Columns.Parameters(r.Cell)
		wall, timed := r.Number("wall_seconds")
		if err != nil || !timed {
			continue
		}
		i, seen := at[string(parameters)]
		if !seen {
			i = len(points)
			at[string(parameters)] = i
			points = append(points, timedPoint{set.Parameters(r), nil})
		}
		points[i].walls = append(points[i].walls, wall)
	}
	return points
}
