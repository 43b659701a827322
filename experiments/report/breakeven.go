package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"queens/experiments"
	"queens/experiments/record"
	"queens/experiments/spec"
)

// queryCost is the cost of one method in seconds: k queries take setup plus k times warm.
type queryCost struct{ build, cold, warm float64 }

// setup returns everything that only the first query pays.
func (q queryCost) setup() float64 { return q.build + q.cold - q.warm }

// breakEven returns the number of queries from which a is cheaper than b: 1 if at once, +Inf if
// never.
func breakEven(a, b queryCost) float64 {
	if a.setup()+a.warm <= b.setup()+b.warm {
		if a.warm <= b.warm {
			return 1
		}
		return math.Inf(1) // it loses what it gains at first
	}
	if a.warm >= b.warm {
		return math.Inf(1)
	}
	return math.Ceil((a.setup() - b.setup()) / (b.warm - a.warm))
}

// queryCosts are the costs of the runs of one method, by unit. The cost of a session of many
// queries is a sum, so they are summarised by means, not by medians.
type queryCosts struct {
	units []string
	runs  []queryCost
	rows  []record.Row
	lost  map[record.Outcome]int // runs with a phase whose time is not known
}

func (d *data) costs(records []record.Row, asked spec.Plot) queryCosts {
	c := queryCosts{rows: records, lost: map[record.Outcome]int{}}
	column := experiments.Phase.Column
	if isCPU(asked) {
		column = experiments.Phase.CPUColumn
	}
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
			c.lost[r.Outcome()]++
			continue
		}
		c.units = append(c.units, d.unit(r))
		c.runs = append(c.runs, queryCost{encode + build, cold, warm})
	}
	return c
}

// every draws each run once.
func (c queryCosts) every() []int {
	all := make([]int, len(c.runs))
	for i := range all {
		all[i] = i
	}
	return all
}

// mean returns the mean cost of the runs drawn.
func (c queryCosts) mean(drawn []int) (q queryCost) {
	for _, i := range drawn {
		r := c.runs[i]
		q.build, q.cold, q.warm = q.build+r.build, q.cold+r.cold, q.warm+r.warm
	}
	n := float64(len(drawn))
	return queryCost{q.build / n, q.cold / n, q.warm / n}
}

// paid is the number of queries after which building has paid off, with its interval if there
// are enough runs; it is not known if runs are lost.
type paid struct {
	known     bool
	k, lo, hi float64 // +Inf is never; lo and hi are NaN where unknown
}

// pays compares the builder with others, all of which it must beat. Each draw takes the same
// runs from all of them.
func pays(seed uint64, builder queryCosts, others []queryCosts) paid {
	n := len(builder.runs)
	known := n > 0 && len(builder.lost) == 0 && len(others) > 0
	for _, o := range others {
		known = known && len(o.lost) == 0 && slices.Equal(o.units, builder.units)
	}
	if !known {
		return paid{}
	}
	against := func(drawn []int) float64 {
		k := 1.0
		for _, o := range others {
			k = max(k, breakEven(builder.mean(drawn), o.mean(drawn)))
		}
		return k
	}
	p := paid{known: true, k: against(builder.every()), lo: math.NaN(), hi: math.NaN()}
	if n >= enough {
		p.lo, p.hi = bootstrap(seed, n, against)
	}
	return p
}

// What stands for a number of queries without end, and for one that is not known.
const (
	never    = "never"
	notKnown = "not known"
)

func (p paid) text() string {
	word := func(k float64) string {
		if math.IsInf(k, 1) {
			return never
		}
		if k >= 100 { // to two digits: another machine, or build, differs by more
			unit := math.Pow(10, math.Floor(math.Log10(k))-1)
			k = math.Round(k/unit) * unit
		}
		return strconv.FormatFloat(k, 'f', 0, 64)
	}
	switch {
	case !p.known:
		return notKnown
	case math.IsNaN(p.lo) || word(p.lo) == word(p.hi):
		return word(p.k)
	}
	return fmt.Sprintf("%s (%s to %s)", word(p.k), word(p.lo), word(p.hi))
}

// builder returns the series whose building has to pay off: the one that the plot names, or
// else the one that takes longest to build at the largest x.
func (d *data) builder(asked spec.Plot) string {
	if asked.Base != "" {
		return asked.Base
	}
	for _, p := range slices.Backward(d.group(d.set.Rows, []string{asked.X})) {
		best, most := "", math.Inf(-1)
		for _, s := range d.group(p.records, asked.Series) {
			c := d.costs(s.records, asked)
			if len(c.runs) > 0 && c.runs[0].build > most {
				best, most = seriesOf(s.records[0], asked.Series), c.runs[0].build
			}
		}
		if best != "" {
			return best
		}
	}
	return ""
}

func isCPU(asked spec.Plot) bool { return strings.HasSuffix(asked.Y, "_cpu_seconds") }

// rival is a competitor of the builder: a series, or the methods of a back-end, of which the
// best counts.
type rival struct {
	name   string
	series []string
}

// rivals lists the other series, and also groups those that share the value of the first series
// parameter.
func (d *data) rivals(asked spec.Plot, builder string) (list []rival) {
	ways := map[string][]string{}
	var first []string
	for _, p := range d.group(d.set.Rows, asked.Series) {
		name, group := seriesOf(p.records[0], asked.Series), p.records[0][asked.Series[0]]
		if name == builder {
			continue
		}
		if !slices.Contains(first, group) {
			first = append(first, group)
		}
		ways[group] = append(ways[group], name)
	}
	for _, group := range first {
		if len(ways[group]) > 1 && !strings.HasPrefix(builder, group+" ") {
			list = append(list, rival{d.labelled(group) + ", its best", ways[group]})
		}
		for _, name := range ways[group] {
			list = append(list, rival{d.labelled(name), []string{name}})
		}
	}
	return list
}

// breakEven draws when building has paid off, and lists it.
func (d *data) breakEven(asked spec.Plot) (fs []*figure, ts []table, err error) {
	panels := asked.Panels
	if len(panels) == 0 {
		panels = []spec.Panel{{}}
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
	builder string
	rows    []string // parameters that name a point
	points  []point
	costs   []queryCosts
	rivals  []rival
	pays    [][]paid // by point and rival
}

func (d *data) breakEvens(asked spec.Plot) breakEvens {
	b := breakEvens{builder: d.builder(asked), rows: []string{asked.X}}
	for _, c := range d.varied {
		if c == asked.X || slices.Contains(asked.Series, c) || isSeed(c) {
			continue
		}
		// What x and the series determine names no point.
		more := func(p point) bool { return len(d.group(p.records, []string{c})) > 1 }
		if slices.ContainsFunc(d.group(d.set.Rows, slices.Concat([]string{asked.X}, asked.Series)), more) {
			b.rows = append(b.rows, c)
		}
	}
	b.rivals = d.rivals(asked, b.builder)
	at := map[string]func(point) (queryCosts, bool){}
	for _, s := range d.group(d.set.Rows, asked.Series) {
		at[seriesOf(s.records[0], asked.Series)] = d.costsAt(asked, b.rows, s.records)
	}
	for _, p := range d.group(d.set.Rows, b.rows) {
		own, _ := at[b.builder](p)
		var row []paid
		for _, r := range b.rivals {
			var others []queryCosts
			for _, name := range r.series {
				if c, ok := at[name](p); ok {
					others = append(others, c)
				}
			}
			row = append(row, pays(d.set.Spec.Seed, own, others))
		}
		b.points, b.costs, b.pays = append(b.points, p), append(b.costs, own), append(b.pays, row)
	}
	return b
}

// costsAt returns a look-up of a series' costs at a point. It ignores parameters other than x
// that have one value in the whole series, such as the variable order of a solver.
func (d *data) costsAt(asked spec.Plot, rows []string, records []record.Row) func(point) (queryCosts, bool) {
	var matters []string
	for _, c := range rows {
		if c == asked.X || len(d.group(records, []string{c})) > 1 {
			matters = append(matters, c)
		}
	}
	costs := map[string]queryCosts{}
	for _, p := range d.group(records, matters) {
		slices.SortFunc(p.records, func(a, b record.Row) int { return strings.Compare(d.unit(a), d.unit(b)) })
		costs[seriesOf(p.records[0], matters)] = d.costs(p.records, asked)
	}
	return func(p point) (queryCosts, bool) {
		c, ok := costs[seriesOf(p.records[0], matters)]
		return c, ok
	}
}

func (d *data) breakEvenTable(title string, asked spec.Plot, b breakEvens) table {
	t := table{part: newPart(title), Header: slices.Clone(b.rows), names: len(b.rows)}
	builder := d.labelled(b.builder)
	t.Header = append(t.Header, builder+" build", builder+" later query")
	for _, r := range b.rivals {
		t.Header = append(t.Header, "against "+r.name)
	}
	seen := shown{}
	for i, p := range b.points {
		var row []cell
		for _, c := range b.rows {
			row = append(row, word(d.labelled(p.value(c))))
		}
		for _, phase := range []experiments.Phase{experiments.Build, experiments.LaterQueries} {
			column := phase.Column()
			if isCPU(asked) {
				column = phase.CPUColumn()
			}
			s := d.take(b.costs[i].rows, column)
			row = append(row, cell{Text: cmp.Or(s.text(column), "-"), measure: column})
		}
		if runs := len(b.costs[i].runs); runs > 0 {
			seen.count(runs)
		}
		for _, paid := range b.pays[i] {
			row = append(row, word(paid.text()))
		}
		t.Rows = append(t.Rows, row)
	}
	time := "wall-clock"
	if isCPU(asked) {
		time = "processor"
	}
	t.Notes = []string{
		fmt.Sprintf("Number of questions from which encoding, building and asking %s takes less %s time in total than "+
			"the other, with 95%% bootstrap intervals (%d draws, seed %d), to two digits; never: each question takes at "+
			"least as long as the other's.", builder, time, resamples, d.set.Spec.Seed),
		fmt.Sprintf("Counts are by means over %s, each with its own placements, which are the same for all series; "+
			"build and later query are medians.", seen.runs()),
		"Its best: the back-end's best method at that point.",
	}
	if lost := d.lostText(); lost != "" {
		t.Notes = append(t.Notes, "Not known where runs did not finish: "+lost+".")
	}
	return t
}

// lostText counts the runs that did not end well, by outcome.
func (d *data) lostText() string {
	tally := record.Tally(d.set.Rows)
	delete(tally, record.OK)
	return outcomeText(tally)
}

// breakEvenFigures draws the panels, if there are several side by side. Never is a mark at the top.
func (d *data) breakEvenFigures(asked spec.Plot, list []breakEvens) ([]*figure, error) {
	most := 10.0
	for _, b := range list {
		if b.builder == "" || len(b.rivals) == 0 || len(b.rows) > 1 || len(d.numeric(b.rows)) == 0 {
			return nil, nil
		}
		for _, p := range slices.Concat(b.pays...) {
			for _, k := range []float64{p.k, p.lo, p.hi} {
				if !math.IsInf(k, 1) && !math.IsNaN(k) {
					most = max(most, k)
				}
			}
		}
	}
	high := math.Pow(10, math.Ceil(math.Log10(most))+0.5)
	asked.LogY, asked.Y = true, ""
	g := drawing{asked: asked, x: axisLabel(asked.X), y: "questions until " + d.labelled(list[0].builder) + " has paid off",
		ticks: d.ticks(asked.X), marks: true}
	bars := "Bars are 95% bootstrap intervals. A mark at never: each question takes at least as long as the other's."
	if len(asked.Panels) == 0 {
		lines, notes := list[0].lines(asked.X, high)
		g.notes = append(notes, bars)
		fs, err := g.of(lines)
		for _, f := range fs {
			f.named(high, never)
		}
		return fs, err
	}
	whole := newFigure(asked, g.x, g.y)
	for i, b := range list {
		lines, notes := b.lines(asked.X, high)
		g.asked.Title = asked.Panels[i].Title
		f := newFigure(g.asked, "", "")
		if err := g.onto(f, lines); err != nil {
			return nil, err
		}
		whole.Notes = append(whole.Notes, notes...)
		whole.panels, whole.ends = append(whole.panels, f), f.ends
	}
	shareAxes(whole.panels)
	for _, f := range whole.panels {
		f.named(high, never)
	}
	whole.Notes = append(whole.Notes, bars)
	return []*figure{whole}, nil
}

// lines returns one line per back-end: the group of its methods, or its only series.
func (b breakEvens) lines(x string, high float64) (lines []line, notes []string) {
	top := func(k float64) float64 { return min(max(k, 1), high) }
	for j, r := range b.rivals {
		if len(r.series) == 1 && slices.ContainsFunc(b.rivals, func(o rival) bool {
			return len(o.series) > 1 && slices.Contains(o.series, r.series[0])
		}) {
			continue
		}
		l := line{name: "against " + r.name}
		for i, p := range b.points {
			at, err := strconv.ParseFloat(p.value(x), 64)
			paid := b.pays[i][j]
			switch {
			case err != nil:
			case !paid.known:
				notes = append(notes, fmt.Sprintf("%s = %s: not known against %s.", x, p.value(x), r.name))
				l.cut()
			case math.IsInf(paid.k, 1):
				l.beyond(at, high)
			default:
				l.add(at, top(paid.k), top(paid.lo), top(paid.hi))
			}
		}
		lines = append(lines, l)
	}
	return lines, notes
}
