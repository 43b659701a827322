package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"queens/experiments/config"
	"queens/experiments/record"
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

// scatter draws and tabulates a point for each problem: the ratio of a series' time to the base's, against a
// number that was found, or a quotient of two.
func (d *data) scatter(asked config.Plot) ([]*figure, []table, error) {
	x := func(records []record.Row) float64 {
		return median(records, func(r record.Row) (float64, bool) {
			v, ok := r.Number(asked.X)
			if asked.Per != "" {
				by, has := r.Number(asked.Per)
				v, ok = v/by, ok && has && by != 0
			}
			return v, ok
		})
	}
	label := config.Label(asked.X)
	if asked.Per != "" {
		label += " per " + config.Label(asked.Per)
	}
	named := slices.DeleteFunc(slices.Clone(d.varied), func(p string) bool { return slices.Contains(asked.Series, p) || isSeed(p) })
	names := d.series(asked.Series)
	t := table{part: newPart(asked.Title), names: len(named), Header: append(slices.Clone(named), label)}
	lines := make([]line, len(names))
	for j, s := range d.group(d.set.Rows, asked.Series) {
		lines[j] = newLine(d.legend(s.records[0], asked.Series))
		if names[j] != asked.Base {
			t.Header = append(t.Header, lines[j].name)
		}
	}
	for _, p := range d.group(d.set.Rows, named) {
		at := x(p.records)
		series := p.bySeries(asked.Series)
		base := d.take(series[asked.Base], asked.Y)
		row := append(d.names(p, named), word(notKnown))
		if !math.IsNaN(at) {
			row[len(named)] = cell{value: number("", at), number: exactly(at)}
		}
		for j, name := range names {
			if name == asked.Base {
				continue
			}
			of := d.take(series[name], asked.Y)
			m := of.against(base)
			if m == nil || math.IsNaN(m.center) || math.IsInf(m.center, 0) || of.limited(of.summary()) || base.limited(base.summary()) {
				row = append(row, word(notKnown))
				continue
			}
			row = append(row, estimated(&m.estimate, times))
			if at > 0 {
				lines[j].cut()
				lines[j].add(at, &m.estimate, len(of.values))
			}
		}
		t.Rows = append(t.Rows, row)
	}
	base := d.labelled(asked.Base)
	t.Notes = []string{fmt.Sprintf("Each point is a problem: medians of %s as multiples of %s's, with their 95%% bootstrap intervals.",
		axisLabel(asked.Y), base)}
	yLabel := config.Label(asked.Y) + ", times " + base
	asked.X, asked.Y, asked.LogX, asked.LogY = "", "", true, true
	fs, err := drawing{asked: asked, x: label, y: yLabel, value: times, marks: true, notes: t.Notes}.of(lines)
	return fs, []table{t}, err
}

// median returns the median of the numbers that of returns for the records; NaN if no record has one.
func median(records []record.Row, of func(record.Row) (float64, bool)) float64 {
	var list []float64
	for _, r := range records {
		if v, ok := of(r); ok {
			list = append(list, v)
		}
	}
	if len(list) == 0 {
		return math.NaN()
	}
	slices.Sort(list)
	return (list[(len(list)-1)/2] + list[len(list)/2]) / 2
}
