package report

import (
	"fmt"
	"math"
	"strconv"

	"queens/experiments/config"
	"queens/experiments/stats"
)

// questionCounts are the numbers of questions that a winner plot shows: three a decade, from 1 to a million.
func questionCounts() (list []float64) {
	for decade := 1.0; decade <= 1e6; decade *= 10 {
		for _, f := range []float64{1, 2, 5} {
			if k := f * decade; k <= 1e6 {
				list = append(list, k)
			}
		}
	}
	return list
}

// winners draws and tabulates, for each x and each number of questions, the series with the least total time,
// building included. A series whose costs are not known for some run at an x cannot win there.
func (d *data) winners(asked config.Plot) ([]*figure, []table, error) {
	if len(d.numeric([]string{asked.X})) == 0 {
		return nil, nil, fmt.Errorf("x: no record has a number in %q", asked.X)
	}
	names, counts := d.series(asked.Series), questionCounts()
	lines := make([]line, len(names))
	for j, s := range d.group(d.set.Rows, asked.Series) {
		lines[j] = newLine(d.legend(s.records[0], asked.Series))
	}
	t := table{part: newPart(asked.Title), names: 1, Header: []string{asked.X}}
	for _, k := range counts {
		t.Header = append(t.Header, number("", k))
	}
	var lost []string
	for _, p := range d.classes(d.set.Rows, asked.X) {
		text := d.class(p.records[0], asked.X)
		x, err := strconv.ParseFloat(text, 64)
		if err != nil {
			continue
		}
		series, means := p.bySeries(asked.Series), map[int]stats.Cost{}
		for j, name := range names {
			switch known := d.costs(series[name], asked); {
			case known.lost:
				lost = append(lost, fmt.Sprintf("%s at %s = %s", d.labelled(name), asked.X, text))
			case len(known.Runs) > 0:
				means[j] = known.Mean()
			}
		}
		row := []cell{word(text)}
		for _, k := range counts {
			best, least := -1, math.Inf(1)
			for j := range names {
				if mean, known := means[j]; known && mean.Total(k) < least {
					best, least = j, mean.Total(k)
				}
			}
			if best < 0 {
				row = append(row, word(notKnown))
				continue
			}
			lines[best].cut()
			lines[best].add(x, stats.Exactly(k), 0)
			row = append(row, word(d.labelled(names[best])))
		}
		t.Rows = append(t.Rows, row)
	}
	_, kind := timeOf(asked)
	notes := []string{"Each mark is the way with the least " + kind + " time in all, building included, for that many " +
		"questions: means over all placements there; a question beyond those that were asked takes as long as the later ones."}
	if len(lost) > 0 {
		notes = append(notes, "Without these, whose runs did not all finish: "+listed(lost)+".")
	}
	t.Notes = notes
	asked.Y, asked.LogY = "", true
	fs, err := drawing{asked: asked, x: axisLabel(asked.X), y: "questions asked", ticks: d.ticks(asked.X), marks: true, notes: notes,
		value: func(k float64) string { return number("", k) + " questions" }}.of(lines)
	return fs, []table{t}, err
}
