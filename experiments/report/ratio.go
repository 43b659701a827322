package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"queens/experiments/config"
	"queens/experiments/record"
)

// growth holds the values of a series at each x, and their multiples of the base's; NaN where they
// are not known.
type growth struct {
	name       string
	ys, ratios []float64
	runs       []int    // number of runs behind each
	lost       []string // how its runs ended, where they have no value or most of them reached a limit
}

// ratio draws the multiples, and tabulates them with the growth of each series.
func (d *data) ratio(asked config.Plot) ([]*figure, []table, error) {
	texts := d.values[asked.X]
	xs := make([]float64, len(texts))
	for i, text := range texts {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, nil, fmt.Errorf("x: %s = %s is not a number", asked.X, text)
		}
		xs[i] = x
	}
	base, list := d.growths(asked)
	fs, err := d.ratioFigures(asked, base, xs, list)
	return fs, []table{d.ratioTable(asked, base, xs, list)}, err
}

// growths computes the medians of each series at each x, and their multiples of the base's.
func (d *data) growths(asked config.Plot) (base string, list []growth) {
	first := 0
	for _, s := range d.group(d.set.Rows, asked.Series) {
		g := growth{name: d.legend(s.records[0], asked.Series)}
		if seriesOf(s.records[0], asked.Series) == asked.Base {
			first = len(list)
		}
		for _, x := range d.values[asked.X] {
			here := slices.DeleteFunc(slices.Clone(s.records), func(r record.Row) bool { return r.Cell(asked.X) != x })
			taken, y := d.take(here, asked.Y), math.NaN()
			sum := taken.summary()
			if sum != nil && sum.center > 0 && !taken.limited(sum) {
				y = sum.center
			}
			g.ys, g.runs = append(g.ys, y), append(g.runs, len(taken.values))
			g.lost = append(g.lost, "")
			if math.IsNaN(y) {
				g.lost[len(g.lost)-1] = spaced(outcomeText(taken.lost), outcomeText(taken.reach))
			}
		}
		list = append(list, g)
	}
	for i := range list {
		for j, y := range list[i].ys {
			list[i].ratios = append(list[i].ratios, y/list[first].ys[j])
		}
	}
	return list[first].name, list
}

// steps shows the factor from each value to the next.
func steps(ys []float64) string {
	var list []string
	for i := 1; i < len(ys); i++ {
		if r := ys[i] / ys[i-1]; math.IsNaN(r) {
			list = append(list, "-")
		} else {
			list = append(list, times(r))
		}
	}
	return strings.Join(list, ", ")
}

func (d *data) ratioTable(asked config.Plot, base string, xs []float64, list []growth) table {
	t := table{part: newPart(asked.Title), Header: []string{"series"}, names: 1}
	t.Header = append(t.Header, d.values[asked.X]...)
	t.Header = append(t.Header, asked.Y+", each times the one before")
	for _, g := range list {
		row := []cell{word(g.name)}
		for i, r := range g.ratios {
			switch {
			case !math.IsNaN(r):
				row = append(row, word(times(r)))
			case g.lost[i] != "":
				row = append(row, word("["+g.lost[i]+"]"))
			default:
				row = append(row, word("-"))
			}
		}
		row = append(row, word(steps(g.ys)))
		t.Rows = append(t.Rows, row)
	}
	t.Notes = []string{
		fmt.Sprintf("Multiples of %s's %s, by medians.", base, config.Label(asked.Y)),
		fmt.Sprintf("The last column is growth from each %s to the next. No curve is fitted: growth changes with %s, and "+
			"says nothing about larger ones.", asked.X, asked.X),
	}
	return t
}

func (d *data) ratioFigures(asked config.Plot, base string, xs []float64, list []growth) ([]*figure, error) {
	var lines []line
	least := math.Inf(1)
	for _, g := range list {
		l := newLine(g.name)
		for i, r := range g.ratios {
			switch {
			case !math.IsNaN(r):
				l.add(xs[i], exactly(r), g.runs[i])
				least = min(least, r)
			case g.lost[i] != "":
				l.missing(xs[i])
			default:
				l.cut()
			}
		}
		lines = append(lines, l)
	}
	label := config.Label(asked.Y) + ", times " + base
	asked.Y = ""
	fs, err := drawing{asked: asked, x: axisLabel(asked.X), y: label, ticks: d.ticks(asked.X), value: times, marks: true}.of(lines)
	for _, f := range fs {
		if !asked.LogY && !math.IsInf(least, 1) {
			f.plot.Y.Min = math.Floor(least*5) / 5
		}
	}
	return fs, err
}
