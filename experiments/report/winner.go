package report

import (
	"fmt"
	"math"
	"strconv"

	"queens/experiments/config"
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

// total returns the time of a number of questions, preparation included.
func (q queryCost) total(questions float64) float64 { return q.first + (questions-1)*q.later }

// contest has, for each class of x, the mean costs of each series; nil where the costs of some run are not
// known.
type contest struct {
	names []string // of the series
	xs    []string
	costs [][]*queryCost
	lost  []string // series that cannot win at some x since runs did not finish, each with the x
}

func (d *data) contest(asked config.Plot) (c contest) {
	c.names = d.series(asked.Series)
	for _, p := range d.classes(d.set.Rows, asked.X) {
		x := d.class(p.records[0], asked.X)
		if _, err := strconv.ParseFloat(x, 64); err != nil {
			continue
		}
		series := p.bySeries(asked.Series)
		var row []*queryCost
		for _, name := range c.names {
			known := d.costs(series[name], asked)
			if known.lost {
				c.lost = append(c.lost, fmt.Sprintf("%s at %s = %s", d.labelled(name), asked.X, x))
			}
			if known.lost || len(known.runs) == 0 {
				row = append(row, nil)
				continue
			}
			mean := known.mean(every(len(known.runs)))
			row = append(row, &mean)
		}
		c.xs, c.costs = append(c.xs, x), append(c.costs, row)
	}
	return c
}

// winner returns the series with the least total time of a number of questions at the i-th x; -1 if no time
// is known.
func (c contest) winner(i int, questions float64) int {
	best, least := -1, math.Inf(1)
	for j, cost := range c.costs[i] {
		if cost != nil && cost.total(questions) < least {
			best, least = j, cost.total(questions)
		}
	}
	return best
}

// winners draws and tabulates, for each x and each number of questions, the series with the least total time,
// building included.
func (d *data) winners(asked config.Plot) ([]*figure, []table, error) {
	if len(d.numeric([]string{asked.X})) == 0 {
		return nil, nil, fmt.Errorf("x: no record has a number in %q", asked.X)
	}
	c := d.contest(asked)
	lines := make([]line, len(c.names))
	for j, s := range d.group(d.set.Rows, asked.Series) {
		lines[j] = newLine(d.legend(s.records[0], asked.Series))
	}
	t := table{part: newPart(asked.Title), names: 1, Header: []string{asked.X}}
	for _, k := range questionCounts() {
		t.Header = append(t.Header, number("", k))
	}
	for i, text := range c.xs {
		x, _ := strconv.ParseFloat(text, 64) // contest has checked it
		row := []cell{word(text)}
		for _, k := range questionCounts() {
			at := c.winner(i, k)
			if at < 0 {
				row = append(row, word(notKnown))
				continue
			}
			lines[at].cut()
			lines[at].add(x, exactly(k), 0)
			row = append(row, word(d.labelled(c.names[at])))
		}
		t.Rows = append(t.Rows, row)
	}
	notes := []string{"Each mark is the way with the least " + timeName(asked) + " time in all, building included, for that many " +
		"questions: means over all placements there; a question beyond those that were asked takes as long as the later ones."}
	if len(c.lost) > 0 {
		notes = append(notes, "Without these, whose runs did not all finish: "+listed(c.lost)+".")
	}
	t.Notes = notes
	asked.Y, asked.LogY = "", true
	fs, err := drawing{asked: asked, x: axisLabel(asked.X), y: "questions asked", ticks: d.ticks(asked.X), marks: true, notes: notes,
		value: func(k float64) string { return number("", k) + " questions" }}.of(lines)
	return fs, []table{t}, err
}
