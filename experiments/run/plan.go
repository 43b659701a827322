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
	"queens/experiments/record"
	"queens/experiments/spec"
)

// startSeconds is roughly what a run's process costs besides its task.
const startSeconds = 0.015

// WritePlan writes what a run of the spec would do. The time is estimated from records
// in dir with the same parameters; runs without any are bounded by the wall-clock limit.
func WritePlan(w io.Writer, s spec.Spec, here Makeable, kinds experiments.Kinds, dir string) error {
	runs := here.Runs
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
	points := map[string]bool{}
	for _, r := range runs {
		params, err := experiments.FlattenJSON(r.Params)
		if err != nil {
			return err
		}
		points[r.Point()] = true
		for name, v := range params {
			if v = cmp.Or(v, "(none)"); !slices.Contains(values[name], v) {
				values[name] = append(values[name], v)
			}
		}
	}
	fmt.Fprintf(w, "%s: %s\n", s.Name, kind.Doc)
	for _, name := range kind.Columns().In(experiments.Parameter) {
		vs := values[name]
		slices.SortFunc(vs, record.CompareValues)
		shown := vs
		if len(vs) > 12 {
			shown = append(vs[:12:12], "... "+vs[len(vs)-1])
		}
		fmt.Fprintf(w, "  %-14s %d: %s\n", name, len(vs), strings.Join(shown, ", "))
	}
	fmt.Fprintf(w, "%d runs: %d points, up to %d repeats, %d warm-ups per point\n", len(runs), len(points), s.Repeats,
		s.Warmups)
	fmt.Fprintf(w, "limits per run: %s, %s\nrecords go to %s\n", s.Limits.WallClock, s.Limits.Memory, dir)
	_, err = fmt.Fprintln(w, estimate(s, runs, kinds, dir))
	return err
}

// estimate says how long the runs will take, and what the estimate is based on.
func estimate(s spec.Spec, runs []spec.Run, kinds experiments.Kinds, dir string) string {
	spent := map[string]float64{} // by run
	if old, err := record.Read(dir, kinds); err == nil && old.Spec.Task == s.Task {
		for _, r := range old.Rows {
			if wall, ok := r.Number("wall_seconds"); ok {
				spent[r.ID()] = wall
			}
		}
	}
	of := map[string][]float64{} // earlier times, by point
	times := map[string]int{}    // how often each point will run
	for _, r := range runs {
		if wall, ok := spent[r.ID]; ok {
			of[r.Point()] = append(of[r.Point()], wall)
		}
		if times[r.Point()] == 0 {
			times[r.Point()] = s.Warmups
		}
		times[r.Point()]++
	}
	var known, unknown float64
	count, unknownCount := 0, 0
	for point, n := range times {
		if walls := of[point]; len(walls) > 0 {
			known += float64(n) * (stat.Mean(walls, nil) + startSeconds)
			count += n
		} else {
			unknown += float64(n) * time.Duration(s.Limits.WallClock).Seconds()
			unknownCount += n
		}
	}
	duration := func(s float64) time.Duration { return time.Duration(s * float64(time.Second)).Round(time.Second) }
	switch {
	case unknownCount == 0:
		return fmt.Sprintf("estimate: about %s, from earlier records in %s", duration(known), dir)
	case count == 0:
		return fmt.Sprintf("estimate: no earlier records in %s; at most %s if every run reaches its limit", dir,
			duration(unknown))
	}
	return fmt.Sprintf("estimate: about %s for %d runs, from earlier records in %s; "+
		"at most %s for the other %d if each reaches its limit", duration(known), count, dir, duration(unknown),
		unknownCount)
}
