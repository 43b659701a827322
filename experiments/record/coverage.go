package record

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"queens/experiments"
	"queens/internal/param"
)

// Coverage compares a record set with its configuration's grid. Each run has at most one record: reading and
// merging ensure that.
type Coverage struct {
	Runs    int               // runs of the grid; 0 if this program cannot make the grid
	Missing []experiments.Run // runs without a record, in the grid's order
	// LeftOut names the outside programs without any record, such as solver = kissat: a machine that lacks
	// one of several programs skips its runs. These runs are not in Missing.
	LeftOut []string
	none    []string // parameter = value pairs of missing runs that no record has
}

// Coverage compares the set with its configuration's grid. The error names a record whose run is not in the
// grid, or has another position there. A set whose task is unknown, or now has other parameters, cannot be
// compared: its Coverage is zero.
func (s Set) Coverage() (c Coverage, err error) {
	if !s.knowsParameters() {
		return c, nil
	}
	runs, err := s.Spec.Grid(s.Kind)
	if err != nil {
		return c, fmt.Errorf("the grid of %s: %w", filepath.Join(s.Dir, ConfigFile), err)
	}
	positions := make(map[string]int, len(runs))
	for _, r := range runs {
		positions[r.ID] = r.Position
	}
	for _, r := range s.Rows {
		position, ok := positions[r.ID()]
		if !ok {
			return c, fmt.Errorf("%s: run %s is not in the grid of %s", filepath.Join(s.Dir, RecordsFile), r.ID(), ConfigFile)
		}
		if r.Cell("position") != strconv.Itoa(position) {
			return c, fmt.Errorf("%s: run %s has position %s, but %d in the grid of %s",
				filepath.Join(s.Dir, RecordsFile), r.ID(), r.Cell("position"), position, ConfigFile)
		}
	}
	c.Runs = len(runs)
	recorded := map[string]bool{} // parameter = value
	names := s.Columns.In(experiments.Parameter)
	for _, r := range s.Rows {
		for _, name := range names {
			recorded[name+" = "+r.Cell(name)] = true
		}
	}
	for _, r := range s.Missing(runs) {
		if needed := r.Task.Program(); needed != nil && len(s.Spec.Axes[needed.Parameter]) > 1 {
			if program := needed.Parameter + " = " + needed.Name; !recorded[program] {
				c.LeftOut = append(c.LeftOut, program)
				continue
			}
		}
		c.Missing = append(c.Missing, r)
		for name, value := range r.Task.Parameters() {
			if pair := name + " = " + value; !recorded[pair] {
				c.none = append(c.none, pair)
			}
		}
	}
	for _, list := range []*[]string{&c.LeftOut, &c.none} {
		slices.SortFunc(*list, param.CompareValues)
		*list = slices.Compact(*list)
	}
	return c, nil
}

// knowsParameters reports whether the set's task still has the set's parameters. The task may have gained or lost
// optional parameters since: while they are unset, they leave a run's id unchanged.
func (s Set) knowsParameters() bool {
	if s.Kind == nil {
		return false
	}
	ours := s.Kind.Columns().In(experiments.Parameter)
	var theirs []string
	for _, c := range s.Columns.Of(experiments.Parameter) {
		set := func(r Row) bool { return r.Cell(c.Name) != "" }
		if !c.Optional || slices.Contains(ours, c.Name) || slices.ContainsFunc(s.Rows, set) {
			theirs = append(theirs, c.Name)
		}
	}
	var now []string
	for _, c := range s.Kind.Columns().Of(experiments.Parameter) {
		if !c.Optional || slices.Contains(theirs, c.Name) {
			now = append(now, c.Name)
		}
	}
	return slices.Equal(now, theirs)
}

// Complete reports whether no run is known to be missing.
func (c Coverage) Complete() bool { return len(c.Missing) == 0 }

// String says how many runs are missing, as in "2 of 8 runs are missing, among them all with part = 3"; it is
// empty if none is.
func (c Coverage) String() string {
	if c.Complete() {
		return ""
	}
	are := "are"
	if len(c.Missing) == 1 {
		are = "is"
	}
	text := fmt.Sprintf("%d of %d runs %s missing", len(c.Missing), c.Runs, are)
	if len(c.none) > 0 && len(c.Missing) < c.Runs {
		text += ", among them all with " + strings.Join(c.none, ", with ")
	}
	return text
}
