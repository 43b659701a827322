package report

import (
	"slices"

	"queens/experiments/config"
)

// maxColumns bounds the columns that an automatic table shows side by side.
const maxColumns = 6

// presentation returns the tables and plots that the configuration asks for, or
// those that its axes suggest.
func (d *data) presentation() config.Presentation {
	p := d.set.Spec.Report
	if len(p.Tables) == 0 {
		p.Tables = d.autoTables()
	}
	if len(p.Plots) == 0 {
		p.Plots = d.autoPlots()
	}
	return p
}

func (d *data) autoTables() []config.Table {
	numbers, names, seeds := d.axes()
	rows, columns := numbers, names
	if len(rows) == 0 && len(names) == 0 {
		rows = seeds
	}
	if len(rows) == 0 { // a line for all
		rows = d.parameters[:1]
	}
	if len(d.series(columns)) > maxColumns {
		rows, columns = slices.Concat(rows, columns), nil
	}
	return []config.Table{{Rows: rows, Columns: columns, Values: d.summaryMeasures()}}
}

func (d *data) autoPlots() []config.Plot {
	numbers, names, _ := d.axes()
	var plots []config.Plot
	if len(numbers) > 0 {
		x := numbers[0]
		measures := slices.DeleteFunc(d.summaryMeasures(), func(y string) bool { return d.settled(y, x) })
		slices.SortStableFunc(measures, func(a, b string) int { return d.reporting(names, b) - d.reporting(names, a) })
		for _, y := range measures {
			plots = append(plots, config.Plot{
				Title: config.Label(y) + " by " + x, Kind: "lines", X: x, Y: y, Series: names,
				LogX: d.wide(x), LogY: d.wide(y),
			})
		}
	}
	if len(names) > 0 && slices.Contains(d.numeric(d.measurements), "wall_seconds") {
		plots = append(plots, config.Plot{
			Title: "runs finished within a time", Kind: "cactus", Y: "wall_seconds", Series: names, LogY: true,
		})
	}
	return plots
}

// reporting counts the series that have a number for a measure. The first plot shows a measure that all
// series have.
func (d *data) reporting(series []string, measure string) int {
	has := map[string]bool{}
	for _, r := range d.set.Rows {
		if _, ok := r.Number(measure); ok {
			has[seriesOf(r, series)] = true
		}
	}
	return len(has)
}

// summaryValues chooses the measures of a table to show on the terminal: the first for which most of its
// columns have numbers, or the wall time if no column has any. For an automatic table it adds the cost.
func (d *data) summaryValues(asked config.Table, isAuto bool) []string {
	chosen, most := "wall_seconds", 0
	for _, v := range append(slices.Clone(asked.Values), chosen) {
		if n := d.reporting(asked.Columns, v); n > most {
			chosen, most = v, n
		}
	}
	if isAuto {
		return slices.Compact([]string{chosen, d.cost()})
	}
	return []string{chosen}
}

// cost returns the time that the most series have, of those that the configuration's tables and plots show; the
// first of several, or the wall time if they show none.
func (d *data) cost() string {
	var asked []string
	p := d.presentation()
	for _, t := range p.Tables {
		asked = append(asked, t.Values...)
	}
	for _, plot := range p.Plots {
		asked = append(asked, plot.Y)
	}
	_, names, _ := d.axes()
	measured := d.numeric(d.measurements)
	chosen, most := "wall_seconds", 0
	for _, c := range asked {
		if n := d.reporting(names, c); n > most && unit(c) == "s" && slices.Contains(measured, c) {
			chosen, most = c, n
		}
	}
	return chosen
}

// summaryMeasures returns the measures for an automatic table. It leaves out work_per_query, whose unit differs
// between back-ends.
func (d *data) summaryMeasures() []string {
	left := []string{"work_per_query", "encode_seconds", "user_seconds", "system_seconds"}
	return slices.DeleteFunc(slices.Concat(d.numeric(d.results), d.numeric(d.measurements)), func(c string) bool {
		return slices.Contains(left, c)
	})
}

// settled reports whether the parameters in by determine a measure, as n determines the number of solutions.
// A plot of it by them would compare nothing.
func (d *data) settled(measure string, by ...string) bool {
	first := map[string]string{}
	for _, r := range d.set.Rows {
		key := seriesOf(r, by)
		if was, seen := first[key]; seen && was != r.Cell(measure) {
			return false
		}
		first[key] = r.Cell(measure)
	}
	return true
}

// wide reports whether a column's numbers are positive and span more than a
// decade and a half.
func (d *data) wide(column string) bool {
	all := numbers(d.set.Rows, column)
	return len(all) > 0 && slices.Min(all) > 0 && slices.Max(all)/slices.Min(all) > 30
}
