package run

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/gonum/stat"

	"queens/experiments"
	"queens/experiments/config"
	"queens/experiments/record"
	"queens/internal/param"
)

// startSeconds is roughly what a run's process costs besides its task.
const startSeconds = 0.015

// WritePlan writes what a run of the spec would do. The time is estimated from records
// in dir with the same parameters; runs without any are bounded by the wall-clock limit.
func WritePlan(w io.Writer, s config.Spec, here Makeable, kinds experiments.Kinds, dir string) error {
	kind, err := kinds.Named(s.Task)
	if err != nil {
		return err
	}
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
	fmt.Fprintf(w, "%s: %s\n", s.Name, kind.Doc)
	for _, name := range kind.Columns().In(experiments.Parameter) {
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
	_, err = fmt.Fprintln(w, estimate(s, here.Runs, kinds, dir))
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

// estimate says how long the runs will take, and what the estimate is based on.
func estimate(s config.Spec, runs []experiments.Run, kinds experiments.Kinds, dir string) string {
	walls := map[string][]float64{} // of earlier runs, by point
	if old, err := record.Read(dir, kinds); err == nil && old.Spec.Task == s.Task {
		for _, r := range old.Rows {
			params, err := old.Columns.Parameters(r.Cell)
			if wall, ok := r.Number("wall_seconds"); ok && err == nil {
				walls[string(params)] = append(walls[string(params)], wall)
			}
		}
	}
	var known, unknown time.Duration
	count, unknownCount := 0, 0
	for task, n := range repeats(runs) {
		point, _ := task.JSON() // of the grid, which hashes it
		if earlier := walls[string(point)]; len(earlier) > 0 {
			known += time.Duration(float64(n) * (stat.Mean(earlier, nil) + startSeconds) * float64(time.Second))
			count += n
		} else {
			unknown += time.Duration(n) * time.Duration(s.Limits.WallClock)
			unknownCount += n
		}
	}
	var parts []string
	if count > 0 {
		parts = append(parts, fmt.Sprintf("about %s for %d runs, by the records in %s", known.Round(time.Second), count, dir))
	}
	if unknownCount > 0 {
		parts = append(parts, fmt.Sprintf("at most %s for runs without records (%d), their time limits together", unknown, unknownCount))
	}
	return "estimate: " + cmp.Or(strings.Join(parts, ", and "), "no time, since there are no runs")
}
