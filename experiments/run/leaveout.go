package run

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"queens/experiments"
	"queens/experiments/record"
	"queens/experiments/spec"
)

// Makeable is the part of a grid that a machine can run.
type Makeable struct {
	Runs []spec.Run
	// LeftOut lists the programs missing here whose runs are skipped, since the axis names
	// others that exist, with the reasons.
	LeftOut []string
	// Lacking lists the programs missing here whose runs are kept, since the axis names no
	// others that exist: these runs would fail.
	Lacking []string
}

// MakeableHere returns the part of a spec's grid that this machine can run. Runs that
// have a record in dir are kept, since they need no program any more.
func MakeableHere(
	ctx context.Context, s spec.Spec, grid []spec.Run, kinds experiments.Kinds, dir string,
) (m Makeable, err error) {
	kind, err := kinds.Named(s.Task)
	if err != nil {
		return m, err
	}
	done := map[string]bool{}
	if old, err := record.Read(dir, kinds); err == nil {
		done = old.Done()
	}
	checked := map[string]string{}
	left := map[string]int{} // skipped runs, by the program that they lack
	for _, r := range grid {
		what, several := "", false
		if !done[r.ID] {
			if what, several, err = lackingOf(ctx, kind, s, r, checked); err != nil {
				return m, err
			}
		}
		switch {
		case what == "":
		case several:
			left[what]++
			continue
		case !slices.Contains(m.Lacking, what):
			m.Lacking = append(m.Lacking, what)
		}
		m.Runs = append(m.Runs, r)
	}
	missing := slices.Sorted(maps.Keys(left))
	if len(m.Runs) == 0 { // none of the named programs is here
		m.Runs, m.Lacking = grid, missing
		return m, nil
	}
	for _, what := range missing {
		m.LeftOut = append(m.LeftOut, fmt.Sprintf("%s (%d runs)", what, left[what]))
	}
	return m, nil
}

// lackingOf returns what a run needs that is missing here, and whether the axis that names
// it has other values. checked holds what is wrong with the programs seen so far.
func lackingOf(
	ctx context.Context, kind experiments.TaskKind, s spec.Spec, r spec.Run, checked map[string]string,
) (what string, several bool, err error) {
	task, err := kind.Task(r.Params, s.Programs())
	if err != nil {
		return "", false, err
	}
	needed := task.Program()
	if needed == nil {
		return "", false, nil
	}
	what, seen := checked[needed.Name]
	if !seen {
		if err := needed.Check(ctx); err != nil {
			what = err.Error()
		}
		checked[needed.Name] = what
	}
	return what, len(s.Axes[needed.Parameter]) > 1, ctx.Err()
}
