package report

import (
	"slices"
	"strconv"

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

// axes sorts the varied parameters into numbers, names and seeds. Seeds only repeat an
// experiment with different random choices, so they are pooled.
func (d *data) axes() (numbers, names, seeds []string) {
	for _, p := range d.varied {
		_, err := strconv.ParseInt(d.values[p][0], 10, 64)
		switch {
		case isSeed(p):
			seeds = append(seeds, p)
		case err == nil:
			numbers = append(numbers, p)
		default:
			names = append(names, p)
		}
	}
	return numbers, names, seeds
}

func (d *data) autoTables() []config.Table {
	numbers, names, seeds := d.axes()
	rows, columns := numbers, names
	if len(rows) == 0 {
		rows, columns = names, nil
	}
	if len(rows) == 0 {
		rows = seeds
	}
	if len(rows) == 0 { // one point
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

// reporting counts the series that have a number of a measure. The first plot is of one that all have.
func (d *data) reporting(series []string, measure string) int {
	has := map[string]bool{}
	for _, r := range d.set.Rows {
		if _, ok := r.Number(measure); ok {
			has[seriesOf(r, series)] = true
		}
	}
	return len(has)
}

// settled reports whether a measure depends on nothing but some parameters, as a number of
// solutions does on n: a plot of it by these would compare nothing.
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
