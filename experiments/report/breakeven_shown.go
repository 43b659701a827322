package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"queens/experiments"
	"queens/experiments/config"
	"queens/experiments/record"
)

func (d *data) breakEvenTable(title string, asked config.Plot, b breakEvens) table {
	t := table{part: newPart(title), Header: slices.Clone(b.rows), names: len(b.rows)}
	builder := d.labelled(asked.Base)
	t.Header = append(t.Header, builder+" build", builder+" later query")
	for _, r := range b.rivals {
		t.Header = append(t.Header, "against "+r.name)
	}
	seen := shown{}
	for i, p := range b.points {
		row := d.names(p, b.rows)
		for _, phase := range []experiments.Phase{experiments.Build, experiments.LaterQueries} {
			column := phaseColumn(asked)(phase)
			c := d.take(b.costs[i].rows, column).cell(column)
			c.value = cmp.Or(c.value, "-")
			row = append(row, c)
		}
		if runs := len(b.costs[i].runs); runs > 0 {
			seen.runs = append(seen.runs, runs)
		}
		for j, k := range b.pays[i] {
			c := word(notKnown)
			if k != nil {
				c = b.counted(i, k)
			} else if b.absent[i][j] {
				c = cell{}
			}
			row = append(row, c)
		}
		t.Rows = append(t.Rows, row)
	}
	_, _, runs := seen.extent()
	t.Notes = []string{
		fmt.Sprintf("Number of questions from which encoding, building and asking %s takes less %s time in total than "+
			"the other, with 95%% bootstrap intervals (%d draws, seed %d), to two digits; never: each question takes at "+
			"least as long as the other's.", builder, timeName(asked), resamples, d.set.Spec.Seed),
		fmt.Sprintf("Counts are by means over %s, each with its own placements, which are the same for all series; "+
			"build and later query are medians.", runs),
		"Its best: the back-end's best method at that point.",
	}
	tally := record.Tally(d.set.Rows)
	delete(tally, record.OK)
	if slices.ContainsFunc(b.most, func(most float64) bool { return !math.IsInf(most, 1) }) {
		t.Notes = append(t.Notes, fmt.Sprintf("More than N: not known, since N is %d times the questions asked.", trusted))
	}
	if lost := outcomeText(tally); lost != "" {
		t.Notes = append(t.Notes, "Not known where runs did not finish: "+lost+".")
	}
	return t
}

// counted returns the cell for a number of queries at the i-th point.
func (b breakEvens) counted(i int, k *estimate) cell {
	c := estimated(k, func(k float64) string { return queries(k, b.most[i]) })
	if k.center > b.most[i] && !math.IsInf(k.center, 1) {
		c.spread, c.Key = "", float(b.most[i])
	}
	return c
}

// breakEvenFigures draws the panels, side by side if there are several. A mark at the top means never.
func (d *data) breakEvenFigures(asked config.Plot, list []breakEvens) (fs []*figure, err error) {
	most := 10.0
	for _, b := range list {
		if len(b.rivals) == 0 || len(b.rows) > 1 || len(d.numeric(b.rows)) == 0 {
			return nil, nil
		}
		for i, row := range b.pays {
			for _, e := range row {
				if e != nil {
					for _, k := range []float64{e.center, e.lo, e.hi} {
						if !math.IsInf(k, 1) && !math.IsNaN(k) {
							most = max(most, min(k, b.most[i]))
						}
					}
				}
			}
		}
	}
	high := math.Pow(10, math.Ceil(math.Log10(most))+0.5)
	asked.LogY, asked.Y = true, ""
	g := drawing{asked: asked, x: axisLabel(asked.X), y: "questions until " + d.labelled(asked.Base) + " has paid off",
		ticks: d.ticks(asked.X), marks: true, value: func(k float64) string {
			if k >= high {
				return never
			}
			return queries(k, math.Inf(1))
		}}
	var notes []string
	for i, b := range list {
		if len(asked.Panels) > 0 {
			g.asked.Title = asked.Panels[i].Title
		}
		lines, unknown := b.lines(asked.X, high)
		drawn, err := g.of(lines)
		if err != nil {
			return nil, err
		}
		for _, f := range drawn {
			f.remark("more than", b.beyond(asked.X))
		}
		fs, notes = append(fs, drawn...), append(notes, unknown...)
	}
	notes = append(notes, "Bars are 95% bootstrap intervals. A mark at never: each question takes at least as long as the other's; "+
		"a hollow triangle below it: more, but how many is not known.")
	shareAxes(fs)
	for _, f := range fs {
		f.named(high, never)
		f.Notes = slices.Concat(notes, f.Notes)
	}
	if len(asked.Panels) > 0 {
		whole := newFigure(asked, g.x, g.y)
		whole.Notes, whole.panels = notes, fs
		fs = []*figure{whole}
	}
	return fs, nil
}

// beyond lists the points at which a line is only known to lie above b.most.
func (b breakEvens) beyond(x string) (points linePoints) {
	for i, p := range b.points {
		at, err := strconv.ParseFloat(p.value(x), 64)
		for j, r := range b.rivals {
			if k := b.pays[i][j]; err == nil && r.drawn && k != nil && k.center > b.most[i] && !math.IsInf(k.center, 1) {
				points = append(points, linePoint{x: at, estimate: *exactly(b.most[i])})
				break
			}
		}
	}
	return points
}

// lines returns one line per back-end: the group of its methods, or its only series.
func (b breakEvens) lines(x string, high float64) (lines []line, notes []string) {
	top := func(k float64) float64 { return min(max(k, 1), high) }
	for j, r := range b.rivals {
		if !r.drawn {
			continue
		}
		l := line{name: "against " + r.name, key: r.name}
		for i, p := range b.points {
			at, err := strconv.ParseFloat(p.value(x), 64)
			k := b.pays[i][j]
			switch {
			case err != nil:
			case b.absent[i][j]:
				l.cut()
			case k == nil:
				notes = append(notes, fmt.Sprintf("%s = %s: not known against %s.", x, p.value(x), r.name))
				l.cut()
			case math.IsInf(k.center, 1):
				l.beyond(at, high, len(b.costs[i].runs))
			case k.center > b.most[i]:
				l.beyond(at, b.most[i], len(b.costs[i].runs))
			default:
				l.add(at, &estimate{top(k.center), top(k.lo), top(min(k.hi, b.most[i]))}, len(b.costs[i].runs))
			}
		}
		lines = append(lines, l)
	}
	return lines, notes
}

// breakEven draws and tabulates when building has paid off.
func (d *data) breakEven(asked config.Plot) (fs []*figure, ts []table, err error) {
	panels := asked.Panels
	if len(panels) == 0 {
		panels = []config.Panel{{}}
	}
	var list []breakEvens
	for i, title := range asked.Titles() {
		part, err := d.where(panels[i].Where)
		if err != nil {
			return nil, nil, err
		}
		b := part.breakEvens(asked)
		t := part.breakEvenTable(title, asked, b)
		t.where(panels[i].Where)
		list, ts = append(list, b), append(ts, t)
	}
	fs, err = d.breakEvenFigures(asked, list)
	return fs, ts, err
}
