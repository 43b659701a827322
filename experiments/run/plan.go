package run

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"time"

	"queens/experiments"
	"queens/experiments/record"
	"queens/experiments/spec"
)

// startSeconds is roughly what a run's process costs besides its task.
const startSeconds = 0.03

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
			if !slices.Contains(values[name], v) {
				values[name] = append(values[name], v)
			}
		}
	}
	fmt.Fprintf(w, "%s: %s\n", s.Name, kind.Doc)
	for _, name := range kind.Columns().In(experiments.Parameter) {
		vs := values[name]
		slices.SortFunc(vs, record.CompareValues)
		fmt.Fprintf(w, "  %-14s %d: ", name, len(vs))
		for i, v := range vs {
			if i == 12 {
				fmt.Fprintf(w, ", ... %s", vs[len(vs)-1])
				break
			}
			if i > 0 {
				fmt.Fprint(w, ", ")
			}
			fmt.Fprint(w, cmp.Or(v, "(none)"))
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(
		w,
		"%d runs: %d points, up to %d repeats, %d warm-ups per point\n",
		len(runs),
		len(points),
		s.Repeats,
		s.Warmups,
	)
	fmt.Fprintf(w, "limits per run: %s, %s\nrecords go to %s\n", s.Limits.WallClock, s.Limits.Memory, dir)
	_, err = fmt.Fprintln(w, estimate(s, runs, kinds, dir))
	return err
}

// estimate says how long the runs will take, and what the estimate is based on.
func estimate(s spec.Spec, runs []spec.Run, kinds experiments.Kinds, dir string) string {
	spent := map[string][]float64{}
	if old, err := record.Read(dir, kinds); err == nil && old.Spec.Task == s.Task {
		for _, r := range old.Rows {
			if wall, ok := r.Number("wall_seconds"); ok {
				spent[r.ID()] = append(spent[r.ID()], wall)
			}
		}
	}
	mean := map[string][]float64{} // by point
	for _, r := range runs {
		mean[r.Point()] = append(mean[r.Point()], spent[r.ID]...)
	}
	var known, unknown float64
	count, unknownCount := 0, 0
	add := func(p string, times int) {
		if of := mean[p]; len(of) > 0 {
			sum := 0.0
			for _, v := range of {
				sum += v
			}
			known += float64(times) * (sum/float64(len(of)) + startSeconds)
			count += times
		} else {
			unknown += float64(times) * time.Duration(s.Limits.WallClock).Seconds()
			unknownCount += times
		}
	}
	seen := map[string]bool{}
	for _, r := range runs {
		times := 1
		if !seen[r.Point()] {
			seen[r.Point()] = true
			times += s.Warmups
		}
		add(r.Point(), times)
	}
	duration := func(s float64) time.Duration { return time.Duration(s * float64(time.Second)).Round(time.Second) }
	switch {
	case unknownCount == 0:
		return fmt.Sprintf("estimate: about %s, from earlier records in %s", duration(known), dir)
	case count == 0:
		return fmt.Sprintf(
			"estimate: no earlier records in %s; at most %s if every run reaches its limit",
			dir,
			duration(unknown),
		)
	}
	return fmt.Sprintf(
		"estimate: about %s for %d runs, from earlier records in %s; "+
			"at most %s for the other %d if each reaches its limit",
		duration(known),
		count,
		dir,
		duration(unknown),
		unknownCount,
	)
}
