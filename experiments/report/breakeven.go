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
)

// queryCost is the cost of one method in seconds: up to the first answer, with all that prepares for
// it, and of each later one.
type queryCost struct{ first, later float64 }

// breakEven returns the number of queries from which a is cheaper than b: 1 if at once, +Inf if
// never.
func breakEven(a, b queryCost) float64 {
	switch {
	case a.first <= b.first && a.later <= b.later:
		return 1
	case a.first <= b.first || a.later >= b.later: // it loses what it gains at first, or gains nothing
		return math.Inf(1)
	}
	return math.Ceil((a.first - a.later - (b.first - b.later)) / (b.later - a.later))
}

// queryCosts are the costs of the runs of one method, by unit. The cost of a session of many
// queries is a sum, so they are summarised by means, not by medians.
type queryCosts struct {
	units []string
	runs  []queryCost
	rows  []record.Row
	lost  bool // whether the time of a phase is not known in some run
}

// phaseColumn returns the names of the columns of the time that the plot asks for.
func phaseColumn(asked config.Plot) func(experiments.Phase) string {
	if isCPU(asked) {
		return experiments.Phase.CPUColumn
	}
	return experiments.Phase.Column
}

func isCPU(asked config.Plot) bool { return strings.HasSuffix(asked.Y, "_cpu_seconds") }

func (d *data) costs(records []record.Row, asked config.Plot) queryCosts {
	c := queryCosts{rows: records}
	column := phaseColumn(asked)
	first, later := column(experiments.FirstQuery), column(experiments.LaterQueries)
	if rest, given := strings.CutPrefix(asked.Y, "later_"); given {
		first, later = "first_"+rest, asked.Y
	}
	for _, r := range records {
		encode, _ := r.Number(column(experiments.Encode)) // not every task has this phase
		build, okB := r.Number(column(experiments.Build))
		cold, okC := r.Number(first)
		warm, okW := r.Number(later)
		if r.Outcome() != record.OK || !okB || !okC || !okW {
			c.lost = true
			continue
		}
		c.units = append(c.units, d.unit(r))
		c.runs = append(c.runs, queryCost{encode + build + cold, warm})
	}
	return c
}

// mean returns the mean cost of the runs drawn.
func (c queryCosts) mean(drawn []int) (q queryCost) {
	for _, i := range drawn {
		q.first, q.later = q.first+c.runs[i].first, q.later+c.runs[i].later
	}
	n := float64(len(drawn))
	return queryCost{q.first / n, q.later / n}
}

// pays returns the number of queries after which building has paid off, +Inf for never, with its
// interval if there are enough runs. The builder is compared with others, all of which it must beat;
// each draw takes the same runs from all of them. It is nil, not known, if runs are lost.
func pays(seed uint64, builder queryCosts, others []queryCosts) *estimate {
	n := len(builder.runs)
	unknown := func(o queryCosts) bool { return o.lost || !slices.Equal(o.units, builder.units) }
	if n == 0 || builder.lost || len(others) == 0 || slices.ContainsFunc(others, unknown) {
		return nil
	}
	against := func(drawn []int) float64 {
		k := 1.0
		for _, o := range others {
			k = max(k, breakEven(builder.mean(drawn), o.mean(drawn)))
		}
		return k
	}
	every := make([]int, n)
	for i := range every {
		every[i] = i
	}
	e := exactly(against(every))
	if n >= enough {
		e.lo, e.hi = bootstrap(seed, n, against)
	}
	return e
}

// What stands for a number of queries without end, and for one that is not known.
const (
	never    = "never"
	notKnown = "not known"
)

// queries formats a number of queries.
func queries(k float64) string {
	if math.IsInf(k, 1) {
		return never
	}
	if k >= 100 { // to two digits: another machine, or build, differs by more
		unit := math.Pow(10, math.Floor(math.Log10(k))-1)
		k = math.Round(k/unit) * unit
	}
	return strconv.FormatFloat(k, 'f', 0, 64)
}

// rival is a competitor of the builder: a series, or the methods of a back-end, of which the
// best counts.
type rival struct {
	name   string
	series []string
	drawn  bool // whether it has a line in the plot: one of several methods has none
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
			list = append(list, rival{d.labelled(first) + ", its best", ways, true})
		}
		for _, name := range ways {
			list = append(list, rival{d.labelled(name), []string{name}, !several})
		}
	}
	return list
}

// breakEven draws when building has paid off, and lists it.
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

// breakEvens has, for each point of x and of what else is varied, the costs of the builder and
// the number of queries after which it pays off against each rival.
type breakEvens struct {
	rows   []string // parameters that name a point
	points []point
	costs  []queryCosts
	rivals []rival
	pays   [][]*estimate // by point and rival
}

func (d *data) breakEvens(asked config.Plot) breakEvens {
	var more []string // what x and the series do not determine
	for _, p := range d.group(d.set.Rows, slices.Concat([]string{asked.X}, asked.Series)) {
		more = append(more, varying(p.records, d.varied)...)
	}
	rows := append([]string{asked.X}, slices.DeleteFunc(intersect(d.varied, more), isSeed)...)
	b := breakEvens{rows: rows, points: d.group(d.set.Rows, rows), rivals: d.rivals(asked)}
	series := point{d.set.Rows}.bySeries(asked.Series)
	for _, p := range b.points {
		own := d.costsAt(p, asked, rows, series[asked.Base])
		var row []*estimate
		for _, r := range b.rivals {
			var others []queryCosts
			for _, name := range r.series {
				if c := d.costsAt(p, asked, rows, series[name]); len(c.rows) > 0 {
					others = append(others, c)
				}
			}
			row = append(row, pays(d.set.Spec.Seed, own, others))
		}
		b.costs, b.pays = append(b.costs, own), append(b.pays, row)
	}
	return b
}

// costsAt returns a series' costs at a point. It ignores parameters other than x that have one
// value in the whole series, such as the variable order of a solver.
func (d *data) costsAt(p point, asked config.Plot, rows []string, series []record.Row) queryCosts {
	matters := append(varying(series, rows), asked.X)
	here := slices.DeleteFunc(slices.Clone(series), func(r record.Row) bool {
		return slices.ContainsFunc(matters, func(c string) bool { return r.Cell(c) != p.value(c) })
	})
	slices.SortFunc(here, func(a, b record.Row) int { return strings.Compare(d.unit(a), d.unit(b)) })
	return d.costs(here, asked)
}

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
		for _, k := range b.pays[i] {
			c := word(notKnown)
			if k != nil {
				c = estimated(k, queries)
			}
			row = append(row, c)
		}
		t.Rows = append(t.Rows, row)
	}
	time := "wall-clock"
	if isCPU(asked) {
		time = "processor"
	}
	_, _, runs := seen.extent()
	t.Notes = []string{
		fmt.Sprintf("Number of questions from which encoding, building and asking %s takes less %s time in total than "+
			"the other, with 95%% bootstrap intervals (%d draws, seed %d), to two digits; never: each question takes at "+
			"least as long as the other's.", builder, time, resamples, d.set.Spec.Seed),
		fmt.Sprintf("Counts are by means over %s, each with its own placements, which are the same for all series; "+
			"build and later query are medians.", runs),
		"Its best: the back-end's best method at that point.",
	}
	tally := record.Tally(d.set.Rows)
	delete(tally, record.OK)
	if lost := outcomeText(tally); lost != "" {
		t.Notes = append(t.Notes, "Not known where runs did not finish: "+lost+".")
	}
	return t
}

// breakEvenFigures draws the panels, if there are several side by side. Never is a mark at the top.
func (d *data) breakEvenFigures(asked config.Plot, list []breakEvens) (fs []*figure, err error) {
	most := 10.0
	for _, b := range list {
		if len(b.rivals) == 0 || len(b.rows) > 1 || len(d.numeric(b.rows)) == 0 {
			return nil, nil
		}
		for _, e := range slices.Concat(b.pays...) {
			if e != nil {
				for _, k := range []float64{e.center, e.lo, e.hi} {
					if !math.IsInf(k, 1) && !math.IsNaN(k) {
						most = max(most, k)
					}
				}
			}
		}
	}
	high := math.Pow(10, math.Ceil(math.Log10(most))+0.5)
	asked.LogY, asked.Y = true, ""
	g := drawing{asked: asked, x: axisLabel(asked.X), y: "questions until " + d.labelled(asked.Base) + " has paid off",
		ticks: d.ticks(asked.X), marks: true}
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
		fs, notes = append(fs, drawn...), append(notes, unknown...)
	}
	notes = append(notes, "Bars are 95% bootstrap intervals. A mark at never: each question takes at least as long as the other's.")
	shareAxes(fs)
	for _, f := range fs {
		f.named(high, never)
		f.Notes = slices.Concat(notes, f.Notes)
	}
	if len(asked.Panels) > 0 {
		whole := newFigure(asked, g.x, g.y)
		whole.Notes, whole.panels, whole.ends = notes, fs, fs[len(fs)-1].ends
		fs = []*figure{whole}
	}
	return fs, nil
}

// lines returns one line per back-end: the group of its methods, or its only series.
func (b breakEvens) lines(x string, high float64) (lines []line, notes []string) {
	top := func(k float64) float64 { return min(max(k, 1), high) }
	for j, r := range b.rivals {
		if !r.drawn {
			continue
		}
		l := line{name: "against " + r.name}
		for i, p := range b.points {
			at, err := strconv.ParseFloat(p.value(x), 64)
			k := b.pays[i][j]
			switch {
			case err != nil:
			case k == nil:
				notes = append(notes, fmt.Sprintf("%s = %s: not known against %s.", x, p.value(x), r.name))
				l.cut()
			case math.IsInf(k.center, 1):
				l.beyond(at, high)
			default:
				l.add(at, &estimate{top(k.center), top(k.lo), top(k.hi)})
			}
		}
		lines = append(lines, l)
	}
	return lines, notes
}
