package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"queens/experiments"
	"queens/experiments/config"
	"queens/experiments/record"
	"queens/experiments/stats"
)

// scatter draws and tabulates a point for each problem: the ratio of a series' time to the base's, against a
// number found for the series, or else for the base, or against its quotient by a number of the base. A second
// table says how well that number predicts the ratio.
func (d *data) scatter(asked config.Plot) ([]*figure, []table, error) {
	label := config.Label(asked.X)
	if asked.Per != "" {
		label += ", times " + d.labelled(asked.Base)
	}
	named := slices.DeleteFunc(slices.Clone(d.varied), func(p string) bool {
		return slices.Contains(asked.Series, p) || experiments.IsSeed(p) || d.set.Spec.Axes[p] == nil // what is no axis follows from the series
	})
	names, base := d.seriesNames(asked.Series), d.labelled(asked.Base)
	t := table{part: newPart(asked.Title), names: len(named), Header: slices.Clone(named)}
	lines, points := make([]line, len(names)), make([][]predicted, len(names))
	for j, s := range d.group(d.set.Rows, asked.Series) {
		lines[j] = newLine(d.legend(s.records[0], asked.Series))
		if names[j] != asked.Base {
			t.Header = append(t.Header, label+", "+lines[j].name, lines[j].name)
		}
	}
	for _, p := range d.group(d.set.Rows, named) {
		series := p.bySeries(asked.Series)
		unit := series[asked.Base]
		base := d.take(unit, asked.Y)
		row := d.nameCells(p, named)
		for j, name := range names {
			if name == asked.Base {
				continue
			}
			at, known := d.medianOf(series[name], asked.X), wordCell(notKnown)
			if math.IsNaN(at) {
				at = d.medianOf(unit, asked.X)
			}
			if asked.Per != "" {
				at /= d.medianOf(unit, asked.Per)
			}
			if !math.IsNaN(at) {
				known = plain(at)
			}
			of := d.take(series[name], asked.Y)
			m := of.Against(base.Sample)
			if !m.Known() || of.Limited(of.Summary()) || base.Limited(base.Summary()) {
				row = append(row, known, wordCell(notKnown))
				continue
			}
			row = append(row, known, estimated(&m.Estimate, times))
			if at > 0 {
				lines[j].cut()
				lines[j].add(at, &m.Estimate, len(of.Raw))
				points[j] = append(points[j], predicted{at, m, strings.Join(texted(row[:len(named)]), " ")})
			}
		}
		t.Rows = append(t.Rows, row)
	}
	t.Notes = []string{fmt.Sprintf("Each point is a problem: medians of %s as multiples of %s's, with their 95%% bootstrap intervals.",
		axisLabel(asked.Y), base)}
	rules := table{part: newPart(asked.Title + ": prediction"), names: 1,
		Header: []string{"series", "problems", "right above 1", "threshold", "tested", "right above threshold", "right without x"}}
	rules.Notes = []string{"A problem is decided if the two times differ significantly. Of the decided ones in the order of " + label +
		", every second, from the first on, sets the threshold, and the others test it. Right above 1: of all that are decided. " +
		"Right without x: of the tested, if the answer is always the more frequent one of those that set the threshold."}
	for j, name := range names {
		if name == asked.Base {
			continue
		}
		row, wrong := predict(points[j])
		rules.Rows = append(rules.Rows, append([]cell{wordCell(lines[j].name)}, row...))
		if len(wrong) > 0 {
			rules.Notes = append(rules.Notes, fmt.Sprintf("The threshold of %s fails at %s.", lines[j].name, abridged(wrong)))
		}
	}
	yLabel := config.Label(asked.Y) + ", times " + base
	asked.X, asked.Y, asked.LogX, asked.LogY = "", "", true, true
	notes := t.Notes
	var outliers []namedPoint
	if len(names) == 2 { // one series, whose name the axis and the title tell
		for j := range lines {
			lines[j].name = ""
			outliers = append(outliers, farthest(points[j])...)
		}
		notes = append(slices.Clone(notes), "Named: the three farthest from the median of all.")
	}
	fs, err := drawing{asked: asked, x: label, y: yLabel, value: times, marks: true, notes: notes}.figures(lines)
	for _, f := range fs {
		f.plot.Add(atOne{}, nearby(outliers))
		f.plot.Y.Min, f.plot.Y.Max = min(f.plot.Y.Min, 1), max(f.plot.Y.Max, 1)
	}
	return fs, []table{t, rules}, err
}

// farthest returns the three points whose ratio is farthest from the median of all.
func farthest(points []predicted) (list []namedPoint) {
	sorted := slices.SortedFunc(slices.Values(points), func(a, b predicted) int { return cmp.Compare(a.ratio.Center, b.ratio.Center) })
	if len(sorted) < 4 { // nothing lies out
		return nil
	}
	median := sorted[len(sorted)/2].ratio.Center
	far := func(p predicted) float64 { return math.Abs(math.Log(p.ratio.Center / median)) }
	slices.SortStableFunc(sorted, func(a, b predicted) int { return cmp.Compare(far(b), far(a)) })
	for _, p := range sorted[:3] {
		list = append(list, namedPoint{p.x, p.ratio.Center, p.name})
	}
	return list
}

// predicted is a problem in a scatter plot: whether its ratio is above 1 is to be told from x.
type predicted struct {
	x     float64
	ratio *stats.Ratio
	name  string
}

// predict fits a threshold to every second of the decided points, ordered by x, so that a ratio is below 1 on
// one side of it and above 1 on the other. It returns the rest of a line of the table of predictions, and the
// tested points for which the threshold is wrong.
func predict(points []predicted) (row []cell, wrong []string) {
	points = slices.DeleteFunc(slices.Clone(points), func(p predicted) bool { return !p.ratio.Differs })
	slices.SortStableFunc(points, func(a, b predicted) int { return cmp.Compare(a.x, b.x) })
	var fitted, tested []predicted
	for i, p := range points {
		if i%2 == 0 {
			fitted = append(fitted, p)
		} else {
			tested = append(tested, p)
		}
	}
	failing := func(points []predicted, threshold float64, longer bool) (list []string) {
		for _, p := range points {
			if (p.x > threshold) == (p.ratio.Center > 1) != longer {
				list = append(list, p.name)
			}
		}
		return list
	}
	threshold, longer, fails := math.NaN(), false, len(fitted)+1
	for i, p := range fitted[:max(len(fitted)-1, 0)] {
		between := math.Sqrt(p.x * fitted[i+1].x)
		for _, l := range []bool{false, true} {
			if n := len(failing(fitted, between, l)); n < fails {
				threshold, longer, fails = between, l, n
			}
		}
	}
	count := func(n int) cell { return plain(float64(n)) }
	if math.IsNaN(threshold) {
		return append([]cell{count(len(points))}, slices.Repeat([]cell{wordCell(notKnown)}, 5)...), nil
	}
	wrong = failing(tested, threshold, longer)
	mostlyLonger := len(failing(fitted, 0, true)) <= len(failing(fitted, 0, false)) // every x is above 0
	return []cell{
		count(len(points)), count(len(points) - len(failing(points, 1, longer))),
		plain(threshold), count(len(tested)), count(len(tested) - len(wrong)),
		count(len(tested) - len(failing(tested, 0, mostlyLonger))),
	}, wrong
}

// plain shows a number without a unit.
func plain(v float64) cell {
	return estimated(stats.Exactly(v), func(v float64) string { return number("", v) })
}

// texted returns the texts of cells.
func texted(row []cell) (list []string) {
	for _, c := range row {
		list = append(list, c.value)
	}
	return list
}

// medianOf returns the median of the records' numbers in a column; NaN if no record has one.
func (d *data) medianOf(records []record.Row, column string) float64 {
	if s := d.take(records, column); len(s.Raw) > 0 && !s.Limited(s.Summary()) {
		return s.Summary().Center
	}
	return math.NaN()
}
