package report

import (
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"queens/experiments"
	"queens/experiments/config"
	"queens/experiments/record"
)

// setColumn is the parameter that tells record sets apart where several are shown as one.
const setColumn = "set"

// Together joins sets of one task into one set. The report of this set has a table of the measures that the
// first set's tables show, with a column for each set, and a plot of each measure. Measures that are the same
// everywhere are left out, and same lists their names. ok is false unless each set shares a point with the
// first.
func Together(sets []record.Set) (all record.Set, same []string, ok bool) {
	d, ok := sideBySide(sets)
	if !ok {
		return record.Set{}, nil, false
	}
	numbers, names, _ := d.axes()
	rows := slices.DeleteFunc(slices.Concat(numbers, names), func(p string) bool { return p == setColumn })
	var values []string
	for _, t := range d.presentation().Tables {
		for _, v := range t.Values {
			switch {
			case slices.Contains(values, v) || slices.Contains(same, config.Label(v)):
			case d.settled(v, rows...):
				same = append(same, config.Label(v))
			default:
				values = append(values, v)
			}
		}
	}
	all = d.set
	all.Kind = nil // no grid has the runs of several sets
	shown := config.Presentation{Labels: all.Spec.Report.Labels}
	if len(values) > 0 {
		shown.Tables = []config.Table{{Title: "Side by side", Rows: rows, Columns: []string{setColumn}, Values: values}}
	}
	for _, v := range values {
		if len(numbers) > 0 {
			shown.Plots = append(shown.Plots, config.Plot{Title: config.Label(v) + " by " + numbers[0], Kind: "lines", X: numbers[0], Y: v,
				Series: names, LogX: d.wide(numbers[0]), LogY: d.wide(v)})
		}
	}
	all.Spec.Report, all.Spec.Answer = shown, ""
	return all, same, true
}

// WriteSideBySide writes the table of Together for a terminal of width columns, 0 for any width. It writes
// nothing if there is no table.
func WriteSideBySide(w io.Writer, sets []record.Set, width int) error {
	all, same, ok := Together(sets)
	if !ok {
		return nil
	}
	if len(same) > 0 {
		fmt.Fprintln(w, wrapped("The same in all sets: "+strings.Join(same, ", ")+".", width))
	}
	d := newData(all)
	shown := table{}
	for _, asked := range all.Spec.Report.Tables {
		for i, t := range d.tables(asked) {
			shown.names = 1 + t.names
			shown.Header = append([]string{"measure"}, t.Header...)
			for _, row := range t.inOneUnit().Rows {
				shown.Rows = append(shown.Rows, append([]cell{word(config.Label(asked.Values[i]))}, row...))
			}
		}
	}
	if len(shown.Rows) == 0 {
		return nil
	}
	shown.legend = "×: times " + shown.Header[shown.names] + "; ~: no significant difference; =: equal"
	shown.write(w, width, len(shown.Rows))
	return nil
}

// sideBySide joins sets of one task, named after their folders, if each shares a point with the
// first and none is given twice.
func sideBySide(sets []record.Set) (*data, bool) {
	if len(sets) < 2 {
		return nil, false
	}
	var names []string
	for _, set := range sets {
		if set.Spec.Task != sets[0].Spec.Task {
			return nil, false
		}
		name := filepath.Base(set.Dir)
		if slices.ContainsFunc(sets, func(s record.Set) bool { return s.Dir != set.Dir && filepath.Base(s.Dir) == name }) {
			name = set.Dir
		}
		names = append(names, name)
	}
	d := joined(sets, names)
	meets := map[string]bool{}
	for _, p := range d.group(d.set.Rows, d.parameters[1:]) { // by all parameters but set
		if here := p.bySeries([]string{setColumn}); here[names[0]] != nil {
			for name := range here {
				meets[name] = true
			}
		}
	}
	return d, len(meets) == len(sets)
}

// joined returns the records of several sets as one, with the set as the first parameter.
func joined(sets []record.Set, names []string) *data {
	all := sets[0]
	all.Rows = nil
	all.Columns = slices.Insert(slices.Clone(all.Columns), 0, experiments.Column{Name: setColumn, Role: experiments.Parameter})
	all.Spec.Name = config.FileName(strings.Join(names, "-and-"))
	all.Environments = nil
	all.Spec.Axes = maps.Clone(all.Spec.Axes)
	all.Spec.Axes[setColumn] = nil
	for i, set := range sets {
		all.Spec.Axes[setColumn] = append(all.Spec.Axes[setColumn], names[i])
		all.Environments = append(all.Environments, set.Environments...)
		all.Rows = append(all.Rows, record.Widened(set.Rows, setColumn, names[i])...)
	}
	return newData(all)
}
