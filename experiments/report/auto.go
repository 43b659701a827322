package report

import (
	"slices"
	"strings"

	"queens/experiments"
	"queens/experiments/config"
	"queens/experiments/record"
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

// competitors sorts the varied parameters without seeds: numbers, the names that say what is asked, such as problems,
// and the names of who is asked, which compete.
func (d *data) competitors() (numbers, asked, names []string) {
	numbers, all, _ := d.axes()
	for _, name := range all {
		if slices.Contains(questions, name) {
			asked = append(asked, name)
		} else {
			names = append(names, name)
		}
	}
	return numbers, asked, names
}

// autoTables has a line for each question, and those who answer it side by side: first a table of the answer, of the
// time, of the work and of the memory, as far as the records have them, then the others.
func (d *data) autoTables() []config.Table {
	numbers, asked, columns := d.competitors()
	rows := slices.Concat(asked, numbers)
	if len(rows) == 0 && len(columns) == 0 {
		_, _, rows = d.axes()
	}
	if len(rows) == 0 { // a line for all
		rows = d.parameters[:1]
	}
	if len(d.seriesNames(columns)) > maxColumns {
		rows, columns = slices.Concat(rows, columns), nil
	}
	measures := d.summaryMeasures()
	if i := slices.IndexFunc(d.numeric(d.results), d.isAnswer); i >= 0 && !slices.Contains(measures, d.numeric(d.results)[i]) {
		measures = slices.Insert(measures, 0, d.numeric(d.results)[i])
	}
	var tables []config.Table
	for _, m := range measures {
		tables = append(tables, config.Table{Title: inTitle(m), Rows: rows, Columns: columns, Values: []string{m}})
	}
	return tables
}

// inTitle begins a title with a measure in words.
func inTitle(measure string) string {
	words := axisLabel(measure)
	return strings.ToUpper(words[:1]) + words[1:]
}

// autoPlots has each measure by the first number, and how many runs finish within a time. Names that say what is asked
// part the lines of a plot only if each has several sizes: problems of one size make no line.
func (d *data) autoPlots() []config.Plot {
	numbers, asked, names := d.competitors()
	var plots []config.Plot
	if len(numbers) > 0 && d.sized(asked, numbers[0]) {
		x, series := numbers[0], slices.Concat(asked, names)
		measures := slices.DeleteFunc(d.summaryMeasures(), func(y string) bool { return d.settled(y, x) })
		slices.SortStableFunc(measures, func(a, b string) int { return d.reporting(series, b) - d.reporting(series, a) })
		for _, y := range measures {
			plots = append(plots, config.Plot{
				Title: inTitle(y) + " by " + x, Kind: config.Lines, X: x, Y: y, Series: series,
				LogX: d.wide(x), LogY: d.wide(y),
			})
		}
	}
	if len(names) > 0 && slices.Contains(d.numeric(d.measurements), "wall_seconds") {
		plots = append(plots, config.Plot{
			Title: "Runs finished within a time", Kind: config.Cactus, Y: "wall_seconds", Series: names, LogY: true,
		})
	}
	return plots
}

// sized reports whether the records of each value of the names have several values of x.
func (d *data) sized(names []string, x string) bool {
	for _, p := range d.group(d.set.Rows, names) {
		if len(varying(p.records, []string{x})) == 0 {
			return false
		}
	}
	return true
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

// summaryValue chooses the measure of a table to show on the terminal: the first for which most of its columns have
// numbers, or the wall time if no column has any.
func (d *data) summaryValue(asked config.Table) string {
	chosen, most := "wall_seconds", 0
	for _, v := range append(slices.Clone(asked.Values), chosen) {
		if n := d.reporting(asked.Columns, v); n > most {
			chosen, most = v, n
		}
	}
	return chosen
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

// summaryMeasures returns the measures for automatic tables: the time of what was asked, the first number found, which
// tells the work, the memory, then the times of the phases, the other numbers found, and the rest. What was asked is a
// session, a query or, in tasks without these, the whole run: building alone would favour those who answer slowly. It
// leaves out work_per_query, whose unit differs between back-ends, and what compares nothing: a number that is the same
// in all runs, and the answer itself where several answer the same question.
func (d *data) summaryMeasures() (list []string) {
	left := []string{"work_per_query", "encode_seconds", "user_seconds", "system_seconds"}
	_, _, names := d.competitors()
	measures := slices.Concat(d.numeric(d.results), d.numeric(d.measurements))
	lead := "wall_seconds"
	for _, c := range []string{experiments.LaterQueries.Column(), sessionColumn} {
		if slices.Contains(measures, c) {
			lead = c
		}
	}
	for _, c := range measures {
		if !slices.Contains(left, c) && !d.settled(c) && !(len(names) > 0 && d.isAnswer(c)) {
			list = append(list, c)
		}
	}
	if list == nil { // a single run
		list = slices.DeleteFunc(measures, func(c string) bool { return slices.Contains(left, c) })
	}
	work := ""
	if i := slices.IndexFunc(list, func(c string) bool { return slices.Contains(d.results, c) }); i >= 0 {
		work = list[i]
	}
	leads := func(c string) int {
		switch {
		case c == lead:
			return 0
		case c == work:
			return 1
		case c == "peak_rss_bytes":
			return 2
		case unit(c) == "s" && c != "wall_seconds" && !strings.HasSuffix(c, "_cpu_seconds"):
			return 3
		case slices.Contains(d.results, c):
			return 4
		}
		return 5
	}
	slices.SortStableFunc(list, func(a, b string) int { return leads(a) - leads(b) })
	return list
}

// isAnswer reports whether a number found is the answer itself.
func (d *data) isAnswer(column string) bool {
	return !slices.ContainsFunc(d.set.Rows, func(r record.Row) bool { return r.Cell(column) != "" && r.Cell(column) != r.Cell("answer") })
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
