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

// WriteSideBySide writes a table of the measures that the first set's tables show, with a column for
// each set, for a terminal of width columns, 0 for any width. Measures that are the same everywhere
// are only named. It writes nothing unless the sets are of one task and each shares a point with the
// first.
func WriteSideBySide(w io.Writer, sets []record.Set, width int) error {
	d, ok := sideBySide(sets)
	if !ok {
		return nil
	}
	numbers, names, _ := d.axes()
	rows := slices.DeleteFunc(slices.Concat(numbers, names), func(p string) bool { return p == setColumn })
	var values, same []string
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
	all := table{names: 1 + len(rows)}
	for i, t := range d.tables(config.Table{Title: setColumn, Rows: rows, Columns: []string{setColumn}, Values: values}) {
		all.Header = append([]string{"measure"}, t.Header...)
		for _, row := range t.inOneUnit().Rows {
			all.Rows = append(all.Rows, append([]cell{word(config.Label(values[i]))}, row...))
		}
	}
	if len(same) > 0 {
		fmt.Fprintln(w, wrapped("The same in all sets: "+strings.Join(same, ", ")+".", width))
	}
	if len(values) == 0 {
		return nil
	}
	all.legend = "×: times " + all.Header[all.names] + "; ~: no significant difference; =: equal"
	all.write(w, width, len(all.Rows))
	return nil
}

// sideBySide joins sets of one task, named after their folders, if each shares a point with the
// first and none is given twice.
func sideBySide(sets []record.Set) (*data, bool) {
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
	for _, p := range d.group(d.set.Rows, d.parameters[1:]) { // without the set
		if here := p.bySeries([]string{setColumn}); here[names[0]] != nil {
			for name := range here {
				meets[name] = true
			}
		}
	}
	return d, len(sets) > 1 && len(meets) == len(sets)
}

// joined returns the records of several sets as one, with the set as the first parameter.
func joined(sets []record.Set, names []string) *data {
	all := sets[0]
	all.Rows = nil
	all.Columns = slices.Insert(slices.Clone(all.Columns), 0, experiments.Column{Name: setColumn, Role: experiments.Parameter})
	all.Spec.Axes = maps.Clone(all.Spec.Axes)
	all.Spec.Axes[setColumn] = nil
	for i, set := range sets {
		all.Spec.Axes[setColumn] = append(all.Spec.Axes[setColumn], names[i])
		all.Rows = append(all.Rows, record.Widened(set.Rows, setColumn, names[i])...)
	}
	return newData(all)
}
