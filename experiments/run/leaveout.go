package run

import (
	"fmt"
	"slices"

	"queens/experiments"
	"queens/experiments/record"
	"queens/experiments/spec"
)

// Makeable is what of a grid a machine can make.
type Makeable struct {
	Runs []spec.Run
	// LeftOut says which values of an axis with several have no runs here, and why.
	LeftOut []string
	// Lacking says what is asked for alone, or with nothing but others that are not here
	// either: the runs would fail.
	Lacking []string
}

// MakeableHere parts the grid of a spec. A solver that is not here, of several that an
// axis names, is left out; one that is named alone stays, and is lacking. Runs with
// records in dir need nothing any more.
func MakeableHere(s spec.Spec, grid []spec.Run, kinds experiments.Kinds, dir string) (m Makeable, err error) {
	kind, err := kinds.Named(s.Task)
	if err != nil {
		return m, err
	}
	done := map[string]bool{}
	if old, err := record.Read(dir, kinds); err == nil {
		done = old.Done()
	}
	var missing []string // what is left out
	left := map[string]int{}
	var leftRuns []spec.Run
	for _, r := range grid {
		what, several := "", false
		if !done[r.ID] {
			if what, several, err = lackingOf(kind, s, r); err != nil {
				return m, err
			}
		}
		switch {
		case what == "":
		case several:
			if left[what]++; left[what] == 1 {
				missing = append(missing, what)
			}
			leftRuns = append(leftRuns, r)
			continue
		case !slices.Contains(m.Lacking, what):
			m.Lacking = append(m.Lacking, what)
		}
		m.Runs = append(m.Runs, r)
	}
	slices.Sort(missing)
	if len(m.Runs) == 0 { // nothing that was named is here
		m.Runs, m.Lacking = leftRuns, missing
		return m, nil
	}
	for _, what := range missing {
		m.LeftOut = append(m.LeftOut, fmt.Sprintf("%s (%d runs)", what, left[what]))
	}
	return m, nil
}

// lackingOf says what a run needs that is not here, and whether the axis which asks for
// it has other values.
func lackingOf(kind experiments.Kind, s spec.Spec, r spec.Run) (what string, several bool, err error) {
	task, err := kind.Task(r.Params, s.Programs())
	if err != nil {
		return "", false, err
	}
	needy, ok := task.(experiments.Needy)
	if !ok {
		return "", false, nil
	}
	parameter, what := needy.Lacking()
	return what, len(s.Axes[parameter]) > 1, nil
}
