package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"queens/experiments/spec"
)

// growth holds the values of a series by x, and their multiples of the base's.
type growth struct {
	name       string
	xs         []float64
	ys, ratios []float64
}

// ratio draws the multiples, and lists them with the growth of each series.
func (d *data) ratio(asked spec.Plot) ([]*figure, []table, error) {
	base, list := d.growths(asked)
	t := d.ratioTable(asked, base, list)
	fs, err := d.ratioFigures(asked, base, list)
	return fs, []table{t}, err
}

// growths takes medians at each x. A ratio is NaN if the base's median at that x is not known.
func (d *data) growths(asked spec.Plot) (base string, list []growth) {
	names := d.series(asked.Series)
	first := cmp.Or(asked.Base, names[0])
	of := map[string]growth{}
	for _, s := range d.group(d.set.Rows, asked.Series) {
		g := growth{name: d.legend(s.records[0], asked.Series)}
		for _, p := range d.group(s.records, []string{asked.X}) {
			x, err := strconv.ParseFloat(p.value(asked.X), 64)
			taken := d.take(p.records, asked.Y)
			sum := taken.summary()
			if err != nil || sum == nil || sum.center <= 0 || taken.limited(sum) {
				continue
			}
			g.xs, g.ys = append(g.xs, x), append(g.ys, sum.center)
		}
		of[seriesOf(s.records[0], asked.Series)] = g
	}
	for _, name := range names {
		g := of[name]
		for i, x := range g.xs {
			r := math.NaN()
			if j := slices.Index(of[first].xs, x); j >= 0 {
				r = g.ys[i] / of[first].ys[j]
			}
			g.ratios = append(g.ratios, r)
		}
		list = append(list, g)
	}
	return of[first].name, list
}

// fitted returns the factor by which values grow when x increases by 1, by least squares on their
// logarithms, with the interval of the slope by Student's t for four points or more; nil for fewer
// than three.
func fitted(xs, ys []float64) *estimate {
	var x, y []float64
	for i, v := range ys {
		if !math.IsNaN(v) {
			x, y = append(x, xs[i]), append(y, math.Log(v))
		}
	}
	if len(x) < 3 {
		return nil
	}
	alpha, beta := stat.LinearRegression(x, y, nil, false)
	f := exactly(math.Exp(beta))
	if len(x) < 4 {
		return f
	}
	residuals, spread := 0.0, 0.0
	center := stat.Mean(x, nil)
	for i := range x {
		residuals += math.Pow(y[i]-alpha-beta*x[i], 2)
		spread += math.Pow(x[i]-center, 2)
	}
	freedom := float64(len(x) - 2)
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: freedom}.Quantile(1 - (1-confidence)/2)
	half := t * math.Sqrt(residuals/freedom/spread)
	f.lo, f.hi = math.Exp(beta-half), math.Exp(beta+half)
	return f
}

func (d *data) ratioTable(asked spec.Plot, base string, list []growth) table {
	t := table{part: newPart(asked.Title), Header: []string{"series"}, names: 1}
	t.Header = append(t.Header, d.values[asked.X]...)
	t.Header = append(t.Header, "ratio grows by", asked.Y+" grows by")
	for _, g := range list {
		row := []cell{word(g.name)}
		for _, text := range d.values[asked.X] {
			x, _ := strconv.ParseFloat(text, 64) // text that is not a number has no point
			c := word("-")
			if i := slices.Index(g.xs, x); i >= 0 && !math.IsNaN(g.ratios[i]) {
				c = word(times(g.ratios[i]))
			}
			row = append(row, c)
		}
		for _, ys := range [][]float64{g.ratios, g.ys} {
			c := word("-")
			if f := fitted(g.xs, ys); f != nil {
				c = estimated(f, func(v float64) string { return fmt.Sprintf("%.3f", v) })
			}
			row = append(row, c)
		}
		t.Rows = append(t.Rows, row)
	}
	t.Notes = []string{
		fmt.Sprintf("Multiples of %s's %s, by medians.", base, spec.Label(asked.Y)),
		fmt.Sprintf("Grows by: the factor for each step of %s, by least squares on logarithms, with the 95%% "+
			"interval of the slope. Exact sizes have no noise: their interval says how straight the line is, and "+
			"nothing about what lies beyond it.", asked.X),
	}
	return t
}

func (d *data) ratioFigures(asked spec.Plot, base string, list []growth) ([]*figure, error) {
	var lines []line
	least := math.Inf(1)
	for _, g := range list {
		l := line{name: g.name}
		for i, x := range g.xs {
			if !math.IsNaN(g.ratios[i]) {
				l.add(x, exactly(g.ratios[i]))
				least = min(least, g.ratios[i])
			}
		}
		lines = append(lines, l)
	}
	label := spec.Label(asked.Y) + ", times " + base
	asked.Y = ""
	fs, err := drawing{asked: asked, x: axisLabel(asked.X), y: label, ticks: d.ticks(asked.X), marks: true}.of(lines)
	for _, f := range fs {
		if !asked.LogY && !math.IsInf(least, 1) {
			f.plot.Y.Min = math.Floor(least*5) / 5
		}
	}
	return fs, err
}
