package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"queens/experiments/config"
	"queens/experiments/stats"
)

// ratios draws the medians of each series as multiples of the base's, and tabulates them with the growth of each
// series. A value that is not known has no multiple. The vertical axis is logarithmic: half is as far from 1 as twice.
func (d *data) ratios(asked config.Plot) ([]*figure, []table, error) {
	if err := d.oneName(asked); err != nil {
		return nil, nil, err
	}
	xs := d.values[asked.X]
	series := d.group(d.set.Rows, asked.Series)
	names := d.seriesNames(asked.Series)
	base := slices.Index(names, asked.Base)
	medians, samples, idle := make([][]float64, len(series)), make([][]sample, len(series)), make([][]bool, len(series))
	for j, s := range series {
		at := s.bySeries([]string{asked.X})
		for _, x := range xs {
			taken, y := d.take(at[x], asked.Y), math.NaN()
			if sum := taken.Summary(); sum != nil && sum.Center > 0 && !taken.Limited(sum) {
				y = sum.Center
			}
			medians[j], samples[j] = append(medians[j], y), append(samples[j], taken)
			idle[j] = append(idle[j], d.idle(asked.Series, at[x]))
		}
	}
	t := table{part: newPart(asked.Title), names: 1,
		Header: slices.Concat([]string{"series"}, xs, []string{asked.Y + ", each times the one before"})}
	var lines []line
	for j, s := range series {
		l := newLine(d.legend(s.records[0], asked.Series))
		row := []cell{wordCell(l.name)}
		for i, text := range xs {
			x, err := strconv.ParseFloat(text, 64)
			if err != nil {
				return nil, nil, fmt.Errorf("x: %s = %s is not a number", asked.X, text)
			}
			taken, ratio := samples[j][i], medians[j][i]/medians[base][i]
			switch lost := spaced(outcomeText(taken.lost), outcomeText(taken.reach)); {
			case idle[j][i] || idle[base][i]:
				l.cut()
				row = append(row, wordCell(neverAsked))
			case !math.IsNaN(ratio):
				l.add(x, stats.Exactly(ratio), len(taken.Raw))
				row = append(row, wordCell(times(ratio)))
			case math.IsNaN(medians[j][i]) && lost != "":
				l.missing(x)
				row = append(row, wordCell("["+lost+"]"))
			default:
				l.cut()
				row = append(row, wordCell(silent))
			}
		}
		lines, t.Rows = append(lines, l), append(t.Rows, append(row, wordCell(growthText(medians[j]))))
	}
	t.Notes = []string{
		fmt.Sprintf("Multiples of %s's %s, by medians.", lines[base].name, config.Label(asked.Y)),
		fmt.Sprintf("The last column is growth from each %s to the next. No curve is fitted: growth changes with %s, and "+
			"says nothing about larger ones.", asked.X, asked.X),
	}
	label := config.Label(asked.Y) + ", times " + lines[base].name
	asked.Y, asked.LogY = "", true
	fs, err := drawing{asked: asked, x: axisLabel(asked.X), y: label, ticks: d.ownTicks(asked.X), value: times, marks: true}.figures(lines)
	for _, f := range fs {
		f.plot.Add(atOne{})
	}
	return fs, []table{t}, err
}

// growthText shows the factor from each value to the next.
func growthText(ys []float64) string {
	var list []string
	for i := 1; i < len(ys); i++ {
		if r := ys[i] / ys[i-1]; math.IsNaN(r) {
			list = append(list, silent)
		} else {
			list = append(list, times(r))
		}
	}
	return strings.Join(list, ", ")
}
