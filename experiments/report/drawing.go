package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"

	"queens/experiments/config"
)

// drawing says how to draw lines.
type drawing struct {
	asked config.Plot
	x, y  string               // labels of the axes
	value func(float64) string // formats a value in a tooltip; nil: as the measure
	ticks []float64            // of the horizontal axis; nil to choose them
	marks bool                 // whether points have marks
	peaks bool                 // whether labels stand at the height of a line's peak, not its end
	notes []string
}

// tell returns the tooltip of a point: its series, place, value, interval and number of runs.
func (g drawing) tell(of line, p linePoint, bound string) string {
	text := fmt.Sprintf("%s = %s: ", cmp.Or(g.asked.X, g.x), tickLabel(g.asked.X, p.x))
	value := g.value(p.Center)
	switch {
	case math.IsNaN(p.Center):
		value = "no run ended with a value"
	case value != never:
		value = bound + value
	}
	text += value
	if p.Lo < p.Hi {
		text += " (" + interval(p.Estimate, g.value) + ")"
	}
	if p.runs > 0 {
		text += fmt.Sprintf(", %d runs", p.runs)
	}
	return strings.TrimPrefix(of.name+", "+text, ", ")
}

// figures draws the lines, in several figures if one cannot tell them apart.
func (g drawing) figures(lines []line) (fs []*figure, err error) {
	if g.value == nil {
		measure := g.asked.Y
		g.value = func(v float64) string { return number(measure, v) }
	}
	empty := func(l line) bool { return len(l.points)+len(l.above) == 0 }
	lines, same := merged(slices.DeleteFunc(lines, empty))
	g.asked.LogX = g.asked.LogX && positive(lines, func(p linePoint) float64 { return p.x })
	g.asked.LogY = g.asked.LogY && positive(lines, func(p linePoint) float64 { return p.Center })
	plots := max(1, (len(lines)+maxSeries-1)/maxSeries) // with about as many series on each
	for i := range plots {
		asked := g.asked
		if plots > 1 {
			asked.Title += fmt.Sprintf(" (%d of %d)", i+1, plots)
		}
		f := newFigure(asked, g.x, g.y)
		f.tell = g.tell
		f.Notes = slices.Concat(g.notes, same)
		if i == 0 { // references to the plot use this name
			f.Name = config.FileName(g.asked.Title)
		}
		if err := g.onto(f, lines[i*len(lines)/plots:(i+1)*len(lines)/plots]); err != nil {
			return nil, err
		}
		fs = append(fs, f)
	}
	shareAxes(fs)
	return fs, nil
}

// shareAxes gives figures the same ranges: those of the figures on which something is drawn.
func shareAxes(fs []*figure) {
	drawn := slices.DeleteFunc(slices.Clone(fs), func(f *figure) bool { return len(f.curves) == 0 })
	if len(drawn) == 0 {
		return
	}
	x, y := drawn[0].plot.X, drawn[0].plot.Y
	for _, f := range drawn {
		x.Min, x.Max = min(x.Min, f.plot.X.Min), max(x.Max, f.plot.X.Max)
		y.Min, y.Max = min(y.Min, f.plot.Y.Min), max(y.Max, f.plot.Y.Max)
	}
	for _, f := range fs {
		f.plot.X.Min, f.plot.X.Max, f.plot.Y.Min, f.plot.Y.Max = x.Min, x.Max, y.Min, y.Max
	}
}

// apart is how far the lines of a plot with bars are shifted from each other, so that none hides another's bars.
const apart = 3 // points

func (g drawing) onto(f *figure, lines []line) error {
	for i, l := range lines {
		s, err := newCurve(l, i, g.marks, g.asked.LogY)
		if err != nil {
			return err
		}
		f.plot.Add(s)
		f.curves = append(f.curves, s)
		if slices.ContainsFunc(lines, line.barred) {
			s.shift = apart * (vg.Length(i) - vg.Length(len(lines)-1)/2)
		}
		all := slices.Concat(l.points, l.above)
		s.end = slices.MaxFunc(all, func(a, b linePoint) int {
			if g.peaks {
				return cmp.Compare(a.Center, b.Center)
			}
			return cmp.Compare(a.x, b.x)
		})
	}
	scaleAxis(&f.plot.X, g.asked.LogX, g.asked.X, g.ticks, 2)
	scaleAxis(&f.plot.Y, g.asked.LogY, g.asked.Y, nil, 4)
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

// noteOf prefixes a note with the name of its series, if the plot has several.
func noteOf(series, note string) string {
	if series == "" {
		return note
	}
	return series + ": " + note
}
