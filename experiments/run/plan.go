package run

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"queens/experiments"
	"queens/experiments/config"
	"queens/experiments/record"
	"queens/internal/param"
)

// startSeconds is the approximate cost of starting a run's process.
const startSeconds = 0.015

// WritePlan writes what a run of the experiment would do here, with its records in dir.
func WritePlan(w io.Writer, s config.Experiment, here Makeable, dir string) error {
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
	_, err := fmt.Fprintln(w, estimate(s, here.Runs, dir))
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

// estimate says how long the runs will take. A point is expected to take the median of its earlier
// runs or, if it has none, of all earlier runs.
func estimate(s config.Experiment, runs []experiments.Run, dir string) string {
	if len(runs) == 0 {
		return "estimate: no time, since there are no runs"
	}
	limit := func(runs int) time.Duration { return time.Duration(runs) * time.Duration(s.Limits.WallClock) }
	from, old := earlier(s.Kind, dir)
	if len(old.Rows) == 0 {
		return fmt.Sprintf("estimate: at most %s, the time limits of all runs together; no earlier runs tell more", limit(len(runs)))
	}
	points, all := map[string][]record.Row{}, medianWall(old.Rows)
	for _, r := range old.Rows {
		if params, err := old.Columns.Parameters(r.Cell); err == nil {
			points[string(params)] = append(points[string(params)], r)
		}
	}
	seconds, others := 0.0, 0
	for task, n := range repeats(runs) {
		point, _ := task.JSON() // no error: the grid has hashed it
		one := all
		if rows := points[string(point)]; len(rows) > 0 {
			one = medianWall(rows)
		} else {
			others += n
		}
		seconds += float64(n) * (one + startSeconds)
	}
	text := fmt.Sprintf("estimate: about %s for %d runs, by the records in %s",
		time.Duration(seconds*float64(time.Second)).Round(time.Second), len(runs), from)
	if others > 0 {
		text += fmt.Sprintf("; %d of them have no record, and count as the median of the others (at most %s)", others, limit(others))
	}
	return text
}

// earlier returns the records of a kind of task in dir or, if there are none, those in the folder reference
// beside dir, which ships records of the experiments.
func earlier(kind *experiments.TaskKind, dir string) (from string, old record.Set) {
	for _, from := range []string{dir, filepath.Join(filepath.Dir(dir), "reference", filepath.Base(dir))} {
		if old, err := record.Read(from, experiments.Kinds{kind}); err == nil && old.Kind != nil && len(old.Rows) > 0 {
			return from, old
		}
	}
	return "", record.Set{}
}

// medianWall returns the median time of runs in seconds.
func medianWall(rows []record.Row) float64 {
	walls := make([]float64, len(rows))
	for i, r := range rows {
		walls[i], _ = r.Number("wall_seconds")
	}
	slices.Sort(walls)
	return walls[len(walls)/2]
}
