package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"queens/experiments/config"
	"queens/experiments/stats"
)

// steps125 returns 1, 2 and 5 times each power of ten, up to a number.
func steps125(most float64) (list []float64) {
	for decade := 1.0; decade <= most; decade *= 10 {
		for _, f := range []float64{1, 2, 5} {
			if k := f * decade; k <= most {
				list = append(list, k)
			}
		}
	}
	return list
}

// way is a series at one x of a map of winners.
type way struct {
	name string
	stats.Costs
}

// winners maps and tabulates, for each x and each number of questions or sessions, the series with the least total
// time, building included. It wins if it has enough runs and each other series differs from it significantly.
// Otherwise the tile is level between it and those that do not differ, or not known if there are too few runs. A
// series whose costs are not known for some run at an x cannot win there.
func (d *data) winners(asked config.Plot) ([]*figure, []table, error) {
	if len(d.numeric([]string{asked.X})) == 0 {
		return nil, nil, fmt.Errorf("x: no record has a number in %q", asked.X)
	}
	ask := askingOf(asked)
	m := &tiles{steps: steps125(ask.most)}
	t := table{part: newPart(asked.Title), names: 1, Header: []string{asked.X}}
	for _, k := range m.steps {
		t.Header = append(t.Header, number("", k))
	}
	var lost, few []string
	for _, p := range d.classes(d.set.Rows, asked.X) {
		x := d.class(p.records[0], asked.X)
		ways, without, rare := d.waysAt(p, asked)
		for _, name := range without {
			lost = append(lost, fmt.Sprintf("%s at %s = %s", name, asked.X, x))
		}
		why := notKnown
		if rare > 0 {
			few = append(few, fmt.Sprintf("%s = %s (%d)", asked.X, x, rare))
			ways, why = nil, "too few runs" // one that has few may be the best
		}
		m.columns = append(m.columns, x)
		row, column := []cell{wordCell(x)}, []tile{}
		for _, k := range m.steps {
			decided := bestWay(ways, k, d.set.Spec.Seed)
			decided.why = why
			decided.said = fmt.Sprintf("%s = %s, %s %s: %s", asked.X, x, number("", k), ask.name, cmp.Or(decided.said, why))
			row, column = append(row, wordCell(decided.fullName())), append(column, decided)
		}
		m.at, t.Rows = append(m.at, column), append(t.Rows, row)
	}
	if len(m.at) == 0 {
		return nil, nil, nil
	}
	_, kind := timeOf(asked)
	t.Notes = []string{
		fmt.Sprintf("The way with the least %s time in all, building included, for that many %s: by means over at least %d runs a "+
			"way, with %s. Striped in the colours of several ways, and called level in the table: none of these is the best, since "+
			"they do not differ significantly, tested at 0.05 as in tables. Where two ways are equal, one in twenty tiles still names "+
			"a winner by chance.", kind, ask.name, stats.Enough, ask.beyond),
	}
	if len(few) > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("Not known where a way has fewer than %d runs: %s.", stats.Enough, abridged(few)))
	}
	if len(lost) > 0 {
		t.Notes = append(t.Notes, "Without these, whose runs did not all finish: "+abridged(lost)+".")
	}
	asked.Y, asked.LogX, asked.LogY = "", false, true
	f := newFigure(asked, axisLabel(asked.X), ask.axis)
	f.tiles, f.Notes = m, t.Notes
	f.plot.Add(m)
	f.plot.NominalX(m.columns...)
	scaleAxis(&f.plot.Y, true, "", nil, 2)
	return []*figure{f}, []table{t}, nil
}

// waysAt returns the series at a point whose costs are known, and the names of those that lost some run. rare is the
// number of runs of a series that has too few; 0 if none has.
func (d *data) waysAt(p point, asked config.Plot) (ways []way, lost []string, rare int) {
	series := p.bySeries(asked.Series)
	for _, name := range d.seriesNames(asked.Series) {
		if len(series[name]) == 0 {
			continue
		}
		switch known := d.costs(series[name], asked); {
		case known.lost:
			lost = append(lost, d.labelled(name))
		case len(known.Runs) < stats.Enough:
			rare = len(known.Runs)
		default:
			ways = append(ways, way{d.labelled(name), known.Costs})
		}
	}
	return ways, lost, rare
}

// bestWay returns the tile for a number of questions, or sessions.
func bestWay(ways []way, k float64, seed uint64) tile {
	if len(ways) == 0 {
		return tile{}
	}
	totals, order := make([]stats.Sample, len(ways)), every(len(ways))
	for i, w := range ways {
		totals[i] = w.Totals(k, seed)
	}
	mean := func(i int) float64 { return ways[i].Mean().Total(k) }
	slices.SortStableFunc(order, func(a, b int) int { return int(math.Copysign(1, mean(a)-mean(b))) })
	first := order[0]
	alike := []int{first}
	var next []string
	for _, other := range order[1:] {
		r := totals[other].Against(totals[first])
		if !r.Differs {
			alike = append(alike, other)
		}
		if len(next) < 2 {
			next = append(next, fmt.Sprintf("%s takes %s (%s) times as long", ways[other].name, times(r.Center), interval(r.Estimate, times)))
		}
	}
	t := tile{winner: ways[first].name}
	if len(alike) > 1 { // in the order of the series, so that areas have one name
		t.winner = ""
		for _, i := range slices.Sorted(slices.Values(alike)) {
			t.level = append(t.level, ways[i].name)
		}
	}
	t.said = strings.Join(append([]string{fmt.Sprintf("%s; %s takes %s", t.fullName(), ways[first].name, number("_seconds", mean(first)))}, next...), "; ")
	return t
}
