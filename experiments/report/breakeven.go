package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"queens/experiments/record"
	"queens/experiments/spec"
)

// queryCost is what one way of answering costs: k queries take setup plus k
// times warm seconds.
type queryCost struct{ build, cold, warm float64 }

// setup is everything that only the first query pays.
func (q queryCost) setup() float64 { return q.build + q.cold - q.warm }

// cost reads medians of the phases; ok is false when a run did not finish well:
// what it would have cost is not known, and the others' median would be too low.
func (d *data) cost(records []record.Row) (q queryCost, ok bool) {
	center := func(measure string) (float64, bool) {
		s := d.take(records, measure)
		sum, ok := s.summary()
		return sum.center, ok && len(s.lost) == 0
	}
	encode, okE := center("encode_seconds")
	build, okB := center("build_seconds")
	cold, okC := center("first_query_seconds")
	warm, okW := center("later_query_seconds")
	return queryCost{encode + build, cold, warm}, okE && okB && okC && okW
}

// breakEven is the number of queries from which a is cheaper than b: 1 at once,
// +Inf never.
func breakEven(a, b queryCost) float64 {
	if a.setup()+a.warm <= b.setup()+b.warm {
		if a.warm <= b.warm {
			return 1
		}
		return math.Inf(1) // it loses what it has gained
	}
	if a.warm >= b.warm {
		return math.Inf(1)
	}
	return math.Ceil((a.setup() - b.setup()) / (b.warm - a.warm))
}

// builder is the series that the plot names, or else the one that pays most in advance at the largest x: the one
// whose building has to pay.
func (d *data) builder(asked spec.Plot) string {
	if asked.Base != "" {
		return asked.Base
	}
	best, most := "", math.Inf(-1)
	points := d.group(d.set.Rows, []string{asked.X})
	for i := len(points) - 1; i >= 0 && best == ""; i-- {
		for _, s := range d.group(points[i].records, asked.Series) {
			if q, ok := d.cost(s.records); ok && q.build > most {
				best, most = seriesOf(s.records[0], asked.Series), q.build
			}
		}
	}
	return best
}

// breakEvens computes, for each x, the costs of every series and the builder's
// break-even against each of the others.
func (d *data) breakEvens(
	asked spec.Plot,
) (builder string, others []string, xs []string, costs map[string]map[string]queryCost) {
	builder = d.builder(asked)
	costs = map[string]map[string]queryCost{}
	for _, p := range d.group(d.set.Rows, []string{asked.X}) {
		x := p.params[asked.X]
		xs = append(xs, x)
		costs[x] = map[string]queryCost{}
		for _, s := range d.group(p.records, asked.Series) {
			if q, ok := d.cost(s.records); ok {
				costs[x][seriesOf(s.records[0], asked.Series)] = q
			}
		}
	}
	others = slices.DeleteFunc(d.series(asked.Series), func(s string) bool { return s == builder })
	return builder, others, xs, costs
}

func (d *data) breakEvenTable(asked spec.Plot) table {
	builder, others, xs, costs := d.breakEvens(asked)
	t := table{name: spec.FileName(asked.Title), title: asked.Title, header: []string{asked.X}}
	for _, name := range append([]string{builder}, others...) {
		t.header = append(t.header, name+" build", name+" first query", name+" later query")
	}
	for _, name := range others {
		t.header = append(t.header, builder+" pays against "+name)
	}
	for _, x := range xs {
		row := []cell{word(x)}
		for _, name := range append([]string{builder}, others...) {
			q, ok := costs[x][name]
			if !ok {
				row = append(row, word("-"), word("-"), word("-"))
				continue
			}
			row = append(
				row,
				word(number("_seconds", q.build)),
				word(number("_seconds", q.cold)),
				word(number("_seconds", q.warm)),
			)
		}
		for _, name := range others {
			a, okA := costs[x][builder]
			b, okB := costs[x][name]
			row = append(row, word(breakEvenText(a, b, okA && okB)))
		}
		t.rows = append(t.rows, row)
	}
	seen := shown{}
	for _, p := range d.group(d.set.Rows, append([]string{asked.X}, asked.Series...)) {
		seen.pool(d, p.records)
	}
	t.notes = seen.notes(d)
	t.notes = append(
		t.notes,
		"Medians. \"from query k on\": encoding, building and k queries together cost "+builder+" no more "+
			"than the other; build holds encoding, the first query is cold.",
	)
	return t
}

func breakEvenText(a, b queryCost, known bool) string {
	if !known {
		return "not known"
	}
	switch k := breakEven(a, b); {
	case k <= 1:
		return "at once"
	case math.IsInf(k, 1):
		return "never"
	default:
		return fmt.Sprintf("from query %.0f on", k)
	}
}

func (d *data) breakEvenFigure(asked spec.Plot) (*figure, error) {
	builder, others, xs, costs := d.breakEvens(asked)
	if builder == "" || len(others) == 0 {
		return nil, nil
	}
	f := newFigure(asked, axisLabel(asked.X), "queries until "+builder+" pays")
	var lines []line
	for _, name := range others {
		l := line{name: "against " + name}
		for _, text := range xs {
			x, err := strconv.ParseFloat(text, 64)
			a, okA := costs[text][builder]
			b, okB := costs[text][name]
			if err != nil {
				continue
			}
			if !okA || !okB {
				f.notes = append(f.notes, fmt.Sprintf("%s = %s: not known against %s.", asked.X, text, name))
				continue
			}
			k := breakEven(a, b)
			if math.IsInf(k, 1) {
				f.notes = append(f.notes, fmt.Sprintf("%s = %s: never against %s.", asked.X, text, name))
				continue
			}
			l.xs, l.ys = append(l.xs, x), append(l.ys, max(k, 1))
		}
		lines = append(lines, l)
	}
	asked.LogY, asked.Y = true, ""
	return f, f.draw(lines, asked, d.ticks(asked.X), true)
}
