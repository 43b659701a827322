package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"queens/experiments/config"
	"queens/experiments/stats"
)

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
		b := part.breakEvens(title, asked)
		b.conditioned(panels[i].Where)
		list, ts = append(list, b), append(ts, b.table)
	}
	fs, err = d.breakEvenFigures(asked, list)
	return fs, ts, err
}

// breakEvenFigures draws the panels, side by side if there are several. A mark at the top means never.
func (d *data) breakEvenFigures(asked config.Plot, list []breakEvens) (fs []*figure, err error) {
	most := 10.0
	for _, b := range list {
		if len(b.rivals) == 0 || b.names > 1 || len(d.numeric(b.Header[:1])) == 0 {
			return nil, nil
		}
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
	}
	high := math.Pow(10, math.Ceil(math.Log10(most))+0.5)
	ask := askingOf(asked)
	asked.LogY, asked.Y = true, ""
	g := drawing{asked: asked, x: axisLabel(asked.X), y: ask.name + " until " + d.labelled(asked.Base) + " has paid off",
		ticks: d.ownTicks(asked.X), marks: true, value: func(k float64) string {
			if k >= high {
				return never
			}
			return queryText(k, math.Inf(1))
		}}
	var notes []string
	for i, b := range list {
		if len(asked.Panels) > 0 {
			g.asked.Title = asked.Panels[i].Title
		}
		lines, beyond, unknown := b.lines(asked.X, high)
		drawn, err := g.figures(lines)
		if err != nil {
			return nil, err
		}
		for _, f := range drawn {
			f.remark("more than", beyond)
		}
		fs, notes = append(fs, drawn...), append(notes, unknown...)
	}
	notes = append(notes, "Bars are 95% bootstrap intervals. A mark at never: each "+ask.one+" takes at least as long as the other's; "+
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

// lines returns one line per back-end: the group of its methods, or its only series. beyond has the points at which
// one of them is only known to lie above b.most.
func (b breakEvens) lines(x string, high float64) (lines []line, beyond linePoints, notes []string) {
	top := func(k float64) float64 { return min(max(k, 1), high) }
	for j, r := range b.rivals {
		if !r.drawn {
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
				beyond = append(beyond, linePoint{x: at, Estimate: *stats.Exactly(most)})
			default:
				l.add(at, new(stats.Between(top(k.Center), top(k.Lo), top(min(k.Hi, most)))), runs)
			}
		}
		lines = append(lines, l)
	}
	slices.SortStableFunc(beyond, func(a, b linePoint) int { return cmp.Compare(a.x, b.x) })
	return lines, slices.CompactFunc(beyond, func(a, b linePoint) bool { return a.x == b.x }), notes
}
