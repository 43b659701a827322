package report

import (
	"cmp"
	"fmt"
	"image/color"
	"iter"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"queens/experiments/spec"
)

// line is one series of points in increasing x. It is drawn in pieces: what lies beyond a limit
// is a mark of its own, and breaks the line.
type line struct {
	name   string
	points []linePoint
	above  plotter.XYs // what is only known to be larger: a hollow triangle
	broken bool        // whether the next point begins a piece
	stops  bool        // whether the series continues beyond its last point: a cross marks that
}

// linePoint is a value with its interval.
type linePoint struct {
	plotter.XY
	estimate
	begins bool
}

func (l *line) add(x float64, y *estimate) {
	l.points = append(l.points, linePoint{plotter.XY{X: x, Y: y.center}, *y, l.broken || len(l.points) == 0})
	l.broken = false
}

// beyond adds a point that is only known to lie above a value.
func (l *line) beyond(x, y float64) {
	l.above = append(l.above, plotter.XY{X: x, Y: y})
	l.cut()
}

func (l *line) cut() { l.broken = true }

// coincides reports whether two lines look the same in a picture.
func (l line) coincides(m line) bool {
	near := func(a, b float64) bool { return math.Abs(a-b) <= 0.002*math.Max(math.Abs(a), math.Abs(b)) }
	return len(l.points) > 0 && len(l.above)+len(m.above) == 0 &&
		slices.EqualFunc(l.points, m.points, func(a, b linePoint) bool {
			return a.X == b.X && a.begins == b.begins && near(a.Y, b.Y)
		})
}

// merged returns the lines with those that coincide as one, whose name says so.
func merged(lines []line) (list []line, notes []string) {
	var names [][]string // of each line in the list
	for _, l := range lines {
		i := slices.IndexFunc(list, l.coincides)
		if i < 0 {
			list, names = append(list, l), append(names, []string{l.name})
			continue
		}
		names[i] = append(names[i], l.name)
	}
	for i, same := range names {
		switch all := strings.Join(same, " = "); {
		case len(same) == 1:
		case len(all) <= 25:
			list[i].name = all
		default:
			list[i].name += fmt.Sprintf(" = %d more", len(same)-1)
			notes = append(notes, "One line, since they coincide: "+strings.Join(same, ", ")+".")
		}
	}
	return list, notes
}

// drawing is how lines are drawn.
type drawing struct {
	asked spec.Plot
	x, y  string    // labels of the axes
	ticks []float64 // of the horizontal axis; nil to choose them
	marks bool      // whether points have marks
	peaks bool      // whether labels stand at the height of a line's peak, not of its end
	// diagonal is the line on which both axes have the same value, for a square plot of marks alone;
	// nil for others.
	diagonal plotter.XYs
	notes    []string
}

// of draws lines in as many figures as it takes to tell them apart.
func (g drawing) of(lines []line) (fs []*figure, err error) {
	lines, same := merged(lines)
	g.asked.LogX = g.asked.LogX && positive(lines, func(p linePoint) float64 { return p.X })
	g.asked.LogY = g.asked.LogY && positive(lines, func(p linePoint) float64 { return p.Y })
	for first, last := range parts(len(lines)) {
		f := newFigure(partOf(g.asked, first, len(lines)), g.x, g.y)
		f.Notes = slices.Concat(g.notes, same)
		if first == 0 { // where those who refer to the plot look for it
			f.Name = spec.FileName(g.asked.Title)
		}
		if err := g.onto(f, lines[first:last]); err != nil {
			return nil, err
		}
		fs = append(fs, f)
	}
	shareAxes(fs)
	return fs, nil
}

// shareAxes gives figures the same ranges.
func shareAxes(fs []*figure) {
	for _, f := range fs {
		all := fs[0].plot
		all.X.Min, all.X.Max = min(all.X.Min, f.plot.X.Min), max(all.X.Max, f.plot.X.Max)
		all.Y.Min, all.Y.Max = min(all.Y.Min, f.plot.Y.Min), max(all.Y.Max, f.plot.Y.Max)
	}
	for _, f := range fs {
		all := fs[0].plot
		f.plot.X.Min, f.plot.X.Max, f.plot.Y.Min, f.plot.Y.Max = all.X.Min, all.X.Max, all.Y.Min, all.Y.Max
	}
}

// parts divides series among as many plots as it takes to tell them apart, about as many on each.
func parts(series int) iter.Seq2[int, int] {
	return func(yield func(first, last int) bool) {
		plots := max(1, (series+maxSeries-1)/maxSeries)
		for i := range plots {
			if !yield(i*series/plots, (i+1)*series/plots) {
				return
			}
		}
	}
}

// partOf returns the plot with the title of its part that begins with a series.
func partOf(asked spec.Plot, first, series int) spec.Plot {
	if plots := (series + maxSeries - 1) / maxSeries; plots > 1 {
		asked.Title += fmt.Sprintf(" (%d of %d)", (first*plots+series-1)/series+1, plots)
	}
	return asked
}

func (g drawing) onto(f *figure, lines []line) error {
	decades := 4 // with ticks between the powers of ten
	if f.square = g.diagonal != nil; f.square {
		drawn, err := plotter.NewLine(g.diagonal)
		if err != nil {
			return err
		}
		drawn.Color = color.Gray{160}
		f.plot.Add(drawn)
		decades = 2 // as many as on the horizontal axis
	}
	for i, l := range lines {
		// Larger for later series, so that none hides another at never.
		if err := f.marks(l.above, i, draw.TriangleGlyph{}, 3.5+1.2*float64(i)); err != nil {
			return err
		}
		var all, piece, barred plotter.XYs
		var bars plotter.YErrors
		flush := func() error {
			drawn, err := plotter.NewLine(piece)
			if err == nil && len(piece) > 1 {
				drawn.LineStyle = draw.LineStyle{Color: palette(i), Width: vg.Points(1.2), Dashes: dashes(i)}
				f.plot.Add(drawn)
			}
			piece = nil
			return err
		}
		for j, p := range l.points {
			if p.begins && j > 0 {
				if err := flush(); err != nil {
					return err
				}
			}
			all, piece = append(all, p.XY), append(piece, p.XY)
			if p.lo < p.hi && (!g.asked.LogY || p.lo > 0) {
				barred = append(barred, p.XY)
				bars = append(bars, struct{ Low, High float64 }{p.Y - p.lo, p.hi - p.Y})
			}
		}
		if len(all) > 0 {
			if err := flush(); err != nil {
				return err
			}
		}
		if len(bars) > 0 {
			drawn, err := plotter.NewYErrorBars(struct {
				plotter.XYer
				plotter.YErrorer
			}{barred, bars})
			if err != nil {
				return err
			}
			drawn.LineStyle.Color = palette(i)
			f.plot.Add(drawn)
		}
		if g.marks {
			if err := f.marks(all, i, shape(i), 2.5); err != nil {
				return err
			}
		}
		if l.stops && len(all) > 0 {
			if err := f.marks(all[len(all)-1:], i, draw.CrossGlyph{}, 4.5); err != nil {
				return err
			}
		}
		if all = append(all, l.above...); l.name == "" || len(all) == 0 {
			continue
		}
		last := slices.MaxFunc(all, func(a, b plotter.XY) int {
			if g.peaks {
				return cmp.Compare(a.Y, b.Y)
			}
			return cmp.Compare(a.X, b.X)
		})
		f.ends = append(f.ends, end{name: l.name, series: i, at: last, lined: !f.square, marked: g.marks})
	}
	scaleAxis(&f.plot.X, g.asked.LogX, g.asked.X, g.ticks, 2)
	scaleAxis(&f.plot.Y, g.asked.LogY, g.asked.Y, nil, decades)
	return nil
}

func positive(lines []line, of func(linePoint) float64) bool {
	for _, l := range lines {
		if slices.ContainsFunc(l.points, func(p linePoint) bool { return of(p) <= 0 }) {
			return false
		}
	}
	return true
}
