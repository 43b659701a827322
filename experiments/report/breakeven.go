package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"queens/experiments"
	"queens/experiments/config"
	"queens/experiments/record"
	"queens/experiments/stats"
)

// breakEven draws and tabulates when building has paid off.
func (d *data) breakEven(asked config.Plot) ([]*figure, []table, error) {
	b := d.breakEvens(asked)
	fs, err := b.figures(d, asked)
	return fs, []table{b.table}, err
}

// queryText formats a number of queries. Above most, the largest known number, it says only "more than".
func queryText(k, most float64) string {
	switch {
	case math.IsInf(k, 1):
		return never
	case k > most:
		return "more than " + grouped(strconv.FormatFloat(most, 'f', 0, 64))
	}
	if k >= 100 { // to two digits: another machine, or build, differs by more
		unit := math.Pow(10, math.Floor(math.Log10(k))-1)
		k = math.Round(k/unit) * unit
	}
	return grouped(strconv.FormatFloat(k, 'f', 0, 64))
}

// rival is a competitor of the builder: a series, or the best of all methods of a back-end.
type rival struct {
	name    string
	series  []string
	grouped bool // whether it belongs to a back-end that is a rival, too
}

// rivals lists the other series, and also groups those that share the value of the first series
// parameter.
func (d *data) rivals(asked config.Plot) (list []rival) {
	for _, group := range d.group(d.set.Rows, asked.Series[:1]) {
		first := group.value(asked.Series[0])
		var ways []string
		for _, p := range d.group(group.records, asked.Series) {
			if name := seriesOf(p.records[0], asked.Series); name != asked.Base {
				ways = append(ways, name)
			}
		}
		several := len(ways) > 1 && !strings.HasPrefix(asked.Base, first+" ")
		if several {
			list = append(list, rival{d.labelled(first) + ", its best", ways, false})
		}
		for _, name := range ways {
			list = append(list, rival{d.labelled(name), []string{name}, several})
		}
	}
	return list
}

// breakEvens is the table of a break-even plot: a line for each point of x and of everything else that varies, with
// the builder's costs and, against each rival, the number of queries after which it has paid off.
type breakEvens struct {
	table
	points []point   // of the lines
	most   []float64 // largest known number of queries, by line
	rivals []rival   // the columns after the builder's costs
}

func (d *data) breakEvens(asked config.Plot) breakEvens {
	var more []string // parameters that x and the series do not determine
	for _, p := range d.group(d.set.Rows, slices.Concat([]string{asked.X}, asked.Series)) {
		more = append(more, varying(p.records, d.varied)...)
	}
	rows := append([]string{asked.X}, slices.DeleteFunc(intersect(d.varied, more), experiments.IsSeed)...)
	builder := d.labelled(asked.Base)
	phaseColumn, kind := timeOf(asked)
	ask := askingOf(asked)
	b := breakEvens{points: d.group(d.set.Rows, rows), rivals: d.rivals(asked), table: table{part: newPart(asked.Title), names: len(rows),
		Header: append(slices.Clone(rows), builder+" build", builder+" "+ask.again)}}
	for _, r := range b.rivals {
		b.Header = append(b.Header, "against "+r.name)
	}
	var runs medianRuns
	for _, p := range b.points {
		slices.SortStableFunc(p.records, func(a, b record.Row) int { return strings.Compare(d.sharedName(a), d.sharedName(b)) })
		series := p.bySeries(asked.Series) // each with its runs in the same order
		row, own, most := d.nameCells(p, rows), d.costs(series[asked.Base], asked), ask.mostKnown(p.records)
		for _, column := range []string{phaseColumn(experiments.Build), cmp.Or(ask.column, phaseColumn(experiments.LaterQueries))} {
			c := d.take(own.rows, column).cell(column)
			c.value = cmp.Or(c.value, silent)
			row = append(row, c)
		}
		if len(own.Runs) > 0 {
			runs.runs = append(runs.runs, len(own.Runs))
		}
		for _, r := range b.rivals {
			var others []costs
			idle := !slices.ContainsFunc(r.series, func(name string) bool { return !d.idle(asked.Series, series[name]) })
			for _, name := range r.series {
				if c := d.costs(series[name], asked); len(c.rows) > 0 {
					others = append(others, c)
				}
			}
			c := counted(d.pays(own, others), most, len(others) > 0)
			if idle && len(others) > 0 {
				c = wordCell(neverAsked)
			}
			row = append(row, c)
		}
		b.most, b.Rows = append(b.most, most), append(b.Rows, row)
	}
	_, _, over := runs.extent()
	b.Notes = []string{
		fmt.Sprintf("Number of %s from which encoding, building and asking %s takes less %s time in total than "+
			"the other, with 95%% bootstrap intervals (%d draws, seed %d), to two digits; never: each %s takes at "+
			"least as long as the other's.", ask.name, builder, kind, stats.Resamples, d.set.Spec.Seed, ask.one),
		fmt.Sprintf("Counts are by means over %s, each with its own %s, which are the same for all series; "+
			"build and %s are medians.", over, ask.random, ask.again),
		"Its best: the back-end's best method at that point.",
	}
	if slices.ContainsFunc(b.most, func(most float64) bool { return !math.IsInf(most, 1) }) {
		b.Notes = append(b.Notes, fmt.Sprintf("More than N: not known, since N is %d times the questions asked.", trusted))
	}
	if slices.ContainsFunc(slices.Concat(b.Rows...), func(c cell) bool { return c.value == neverAsked }) {
		b.Notes = append(b.Notes, idleNote)
	}
	tally := record.Tally(d.set.Rows)
	delete(tally, record.OK)
	if lost := outcomeText(tally); lost != "" {
		b.Notes = append(b.Notes, "Not known where runs did not finish: "+lost+".")
	}
	return b
}

// counted returns the cell for a number of queries, or for more than most, beyond which nothing is known. It is blank if
// no run of the rival was made.
func counted(k *stats.Estimate, most float64, made bool) cell {
	switch {
	case !made:
		return cell{}
	case k == nil:
		return wordCell(notKnown)
	}
	c := estimated(k, func(k float64) string { return queryText(k, most) })
	if k.Center > most && !math.IsInf(k.Center, 1) {
		c.spread, c.Key = "", float(most)
	}
	return c
}

// figures draws a line for each rival, if lines are points of x alone, and x is a number. A mark at the top means never.
func (b breakEvens) figures(d *data, asked config.Plot) ([]*figure, error) {
	if len(b.rivals) == 0 || b.names > 1 || len(d.numeric(b.Header[:1])) == 0 {
		return nil, nil
	}
	most := 10.0
	for i, row := range b.Rows {
		for _, c := range row[len(row)-len(b.rivals):] {
			if c.number == nil {
				continue
			}
			for _, k := range []float64{c.number.Center, c.number.Lo, c.number.Hi} {
				if !math.IsInf(k, 1) && !math.IsNaN(k) {
					most = max(most, min(k, b.most[i]))
				}
			}
		}
	}
	high := math.Pow(10, math.Ceil(math.Log10(most))+0.5)
	lines, notes := b.lines(asked.X, high)
	ask := askingOf(asked)
	asked.LogY, asked.Y = true, ""
	fs, err := drawing{asked: asked, x: axisLabel(asked.X), y: ask.name + " until " + d.labelled(asked.Base) + " has paid off",
		ticks: d.ownTicks(asked.X), marks: true, notes: append(notes, "Bars are 95% bootstrap intervals. A mark at never: each "+
			ask.one+" takes at least as long as the other's; a hollow triangle below it: more, but how many is not known."),
		value: func(k float64) string {
			if k >= high {
				return never
			}
			return queryText(k, math.Inf(1))
		}}.figures(lines)
	for _, f := range fs {
		f.named(high, never)
	}
	return fs, err
}

// lines returns a line for each series. If there are more than a plot tells apart, the best method of a back-end stands
// for all of them.
func (b breakEvens) lines(x string, high float64) (lines []line, notes []string) {
	top := func(k float64) float64 { return min(max(k, 1), high) }
	left := func(r rival) bool { return len(r.series) > 1 }
	if len(slices.DeleteFunc(slices.Clone(b.rivals), left)) > maxSeries {
		left = func(r rival) bool { return r.grouped }
	}
	for j, r := range b.rivals {
		if left(r) {
			continue
		}
		l := line{name: "against " + r.name, key: r.name}
		for i, row := range b.Rows {
			at, err := strconv.ParseFloat(b.points[i].value(x), 64)
			c, most, runs := row[len(row)-len(b.rivals)+j], b.most[i], row[b.names].n
			switch k := c.number; {
			case err != nil:
			case k == nil:
				if l.cut(); c.value == notKnown {
					notes = append(notes, fmt.Sprintf("%s = %s: not known against %s.", x, b.points[i].value(x), r.name))
				}
			case math.IsInf(k.Center, 1):
				l.beyond(at, high, runs)
			case k.Center > most:
				l.beyond(at, most, runs)
			default:
				l.add(at, new(stats.Between(top(k.Center), top(k.Lo), top(min(k.Hi, most)))), runs)
			}
		}
		lines = append(lines, l)
	}
	return lines, notes
}
