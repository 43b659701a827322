package run

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"queens/experiments"
	"queens/experiments/config"
	"queens/experiments/record"
)

// Makeable is the part of a grid that a machine can run.
type Makeable struct {
	Runs []experiments.Run
	// LeftOut lists the programs that are missing here, with the reasons, and whose runs are skipped: the
	// axis names other programs that exist.
	LeftOut []string
	// Lacking lists the programs that are missing here and whose runs are kept: the axis names no other
	// program that exists. These runs would fail.
	Lacking []string
}

// Programs returns the versions of the outside programs that runs need, by parameter and name, except of those that each
// run reports.
func Programs(ctx context.Context, runs []experiments.Run) map[string]string {
	versions := map[string]string{}
	for _, r := range runs {
		needed := r.Task.Program()
		if needed == nil || needed.Is == nil {
			continue
		}
		name := needed.Parameter + " " + needed.Name
		if _, known := versions[name]; !known {
			versions[name] = needed.Is(ctx)
		}
	}
	return versions
}

// MakeableHere returns the part of an experiment's runs that this machine can run. Runs that
// have a record in dir are kept, since they need no program any more. If start is set, the programs of
// the other runs are started to see whether they work; otherwise they are only looked up.
func MakeableHere(ctx context.Context, asked config.Experiment, dir string, start bool) (m Makeable, err error) {
	done := sync.OnceValue(func() map[string]bool {
		old, _ := record.Read(dir, experiments.Kinds{asked.Kind}) // no records, or unreadable ones: every run is missing
		return old.Done()
	})
	checked := map[string]string{} // the error of each program seen so far; "" if it works
	left := map[string]int{}       // skipped runs, by the program that they lack
	for _, r := range asked.Runs {
		needed := r.Task.Program()
		if needed == nil || done()[r.ID] {
			m.Runs = append(m.Runs, r)
			continue
		}
		what, seen := checked[needed.Name]
		if !seen {
			find := needed.Find
			if start {
				find = func() error { return needed.Check(ctx) }
			}
			if err := find(); err != nil {
				what = err.Error()
			}
			checked[needed.Name] = what
		}
		if what != "" && len(asked.Axes[needed.Parameter]) > 1 {
			left[what]++
			continue
		}
		if what != "" && !slices.Contains(m.Lacking, what) {
			m.Lacking = append(m.Lacking, what)
		}
		m.Runs = append(m.Runs, r)
	}
	missing := slices.Sorted(maps.Keys(left))
	if len(m.Runs) == 0 { // none of the named programs is here
		m.Runs, m.Lacking = asked.Runs, missing
		return m, ctx.Err()
	}
	for _, what := range missing {
		m.LeftOut = append(m.LeftOut, fmt.Sprintf("%s (%d runs)", what, left[what]))
	}
	return m, ctx.Err()
}
