package report

import (
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"queens/experiments"
	"queens/experiments/record"
	"queens/experiments/spec"
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
			case slices.Contains(values, v) || slices.Contains(same, spec.Label(v)):
			case d.settled(v, rows...):
				same = append(same, spec.Label(v))
			default:
				values = append(values, v)
			}
		}
	}
	all := table{names: 1 + len(rows)}
	for i, t := range d.tables(spec.Table{Title: setColumn, Rows: rows, Columns: []string{setColumn}, Values: values}) {
		all.Header = append([]string{"measure"}, t.Header...)
		for _, row := range t.Rows {
			all.Rows = append(all.Rows, append([]cell{word(spec.Label(values[i]))}, row...))
		}
	}
	if len(same) > 0 {
		fmt.Fprintln(w, wrapped("The same in all sets: "+strings.Join(same, ", ")+".", width))
	}
	if len(values) == 0 {
		return nil
	}
	all.write(w, width, len(all.Rows))
	_, err := fmt.Fprintln(w, wrapped("×: times "+all.Header[all.names]+"; ~: no significant difference; =: equal", width))
	return err
}

// sideBySide returns the records of several sets as one, with the set as a parameter.
func sideBySide(sets []record.Set) (*data, bool) {
	if len(sets) < 2 {
		return nil, false
	}
	all := sets[0]
	all.Rows = nil
	all.Columns = slices.Insert(slices.Clone(all.Columns), 0, experiments.Column{Name: setColumn, Role: experiments.Parameter})
	all.Spec.Axes = maps.Clone(all.Spec.Axes)
	all.Spec.Axes[setColumn] = nil
	first := newData(sets[0])
	for _, set := range sets {
		d := newData(set)
		if _, _, pairs := match(first, d, intersect(first.parameters, d.parameters)); set.Spec.Task != all.Spec.Task || len(pairs) == 0 {
			return nil, false
		}
		name := filepath.Base(set.Dir)
		if slices.ContainsFunc(sets, func(s record.Set) bool { return s.Dir != set.Dir && filepath.Base(s.Dir) == name }) {
			name = set.Dir
		}
		if slices.Contains(all.Spec.Axes[setColumn], any(name)) { // given twice
			return nil, false
		}
		all.Spec.Axes[setColumn] = append(all.Spec.Axes[setColumn], name)
		for _, r := range set.Rows {
			r = maps.Clone(r)
			r[setColumn] = name
			all.Rows = append(all.Rows, r)
		}
	}
	return newData(all), true
}
