package report

import (
	"image/color"
	"math"
	"regexp"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// maxSeries is the number of series that a plot tells apart.
const maxSeries = 8

// palette returns one of eight colours. People with normal vision and with each kind of colour blindness tell them
// apart, all stand out on white, and the first five differ in grey; a test computes that. Shapes and dashes distinguish
// the series without colour.
func palette(style int) color.NRGBA {
	return [maxSeries]color.NRGBA{
		{4, 1, 159, 255}, {238, 103, 3, 255}, {16, 126, 101, 255}, {134, 48, 2, 255},
		{0, 0, 0, 255}, {155, 98, 255, 255}, {93, 19, 101, 255}, {205, 114, 200, 255},
	}[style%maxSeries]
}

// turned pairs colours with other shapes and dashes in each further round of styles.
func turned(style int) int { return (style + 3*(style/maxSeries)) % maxSeries }

func shape(style int) draw.GlyphDrawer {
	return [maxSeries]draw.GlyphDrawer{
		draw.CircleGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{}, draw.CrossGlyph{},
		draw.RingGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, draw.PlusGlyph{},
	}[turned(style)]
}

func dashes(style int) []vg.Length {
	return [maxSeries][]vg.Length{
		nil, {6, 2}, {2, 2}, {6, 2, 2, 2}, {10, 2}, {4, 4}, {1, 3}, {10, 2, 2, 2, 2, 2},
	}[turned(style)]
}

func stroke(style int) draw.LineStyle {
	return draw.LineStyle{Color: palette(style), Width: vg.Points(1.5), Dashes: dashes(style)}
}

func mark(style int) draw.GlyphStyle {
	return draw.GlyphStyle{Color: palette(style), Shape: shape(style), Radius: vg.Points(3)}
}

// curve is a line as it is drawn.
type curve struct {
	line
	style  int
	end    linePoint // the point at which its label stands
	marked bool      // whether its points have marks
	shift  vg.Length // to the right
	pieces []*plotter.Line
	bars   *plotter.YErrorBars
	marks  *plotter.Scatter
	signs  []*plotter.Scatter // marks whose shape has a meaning of its own
}

var _ interface {
	plot.Plotter
	plot.DataRanger
	plot.GlyphBoxer
} = &curve{}

// newCurve prepares a line for drawing. Its style is its place in the plot until the report's styles are
// chosen.
func newCurve(l line, place int, marked, logY bool) (s *curve, err error) {
	s = &curve{line: l, style: place, marked: marked}
	if err := s.sign(l.above, draw.TriangleGlyph{}, 3.5); err != nil {
		return nil, err
	}
	for from, to := 0, 0; from < len(l.points); from = to {
		for to = from + 1; to < len(l.points) && !l.points[to].begins; {
			to++
		}
		if to-from == 1 {
			continue
		}
		drawn, err := plotter.NewLine(l.points[from:to])
		if err != nil {
			return nil, err
		}
		s.pieces = append(s.pieces, drawn)
	}
	barred := slices.DeleteFunc(slices.Clone(l.points), func(p linePoint) bool {
		return !(p.Lo < p.Hi) || logY && p.Lo <= 0
	})
	if len(barred) > 0 {
		if s.bars, err = plotter.NewYErrorBars(barred); err != nil {
			return nil, err
		}
	}
	if marked && len(l.points) > 0 {
		if s.marks, err = plotter.NewScatter(l.points); err != nil {
			return nil, err
		}
	}
	if l.stops && len(l.points) > 0 {
		err = s.sign(l.points[len(l.points)-1:], draw.CrossGlyph{}, 4.5)
	}
	return s, err
}

// sign adds marks with a shape that says something about the points. It does nothing if there are no points.
func (s *curve) sign(points linePoints, as draw.GlyphDrawer, radius float64) error {
	if len(points) == 0 {
		return nil
	}
	drawn, err := plotter.NewScatter(points)
	if err != nil {
		return err
	}
	drawn.GlyphStyle = draw.GlyphStyle{Shape: as, Radius: vg.Points(radius)}
	s.signs = append(s.signs, drawn)
	return nil
}

// plotters returns what is drawn, in the series' style.
func (s *curve) plotters() (list []plot.Plotter) {
	for _, p := range s.pieces {
		p.LineStyle = stroke(s.style)
		list = append(list, p)
	}
	if s.bars != nil {
		s.bars.LineStyle.Color = palette(s.style)
		list = append(list, s.bars)
	}
	if s.marks != nil {
		s.marks.GlyphStyle = mark(s.style)
		list = append(list, s.marks)
	}
	for _, p := range s.signs {
		p.GlyphStyle.Color = palette(s.style)
		list = append(list, p)
	}
	return list
}

// Plot implements plot.Plotter. A scale of 1 makes the series a group of its own within an SVG.
func (s *curve) Plot(c draw.Canvas, p *plot.Plot) {
	c.Push()
	defer c.Pop()
	c.Scale(1, 1)
	c.Translate(vg.Point{X: s.shift})
	for _, part := range s.plotters() {
		part.Plot(c, p)
	}
	// Runs that ended without a value are crosses on the upper edge.
	for _, x := range s.none {
		toX, _ := p.Transforms(&c)
		c.DrawGlyph(draw.GlyphStyle{Color: palette(s.style), Shape: draw.CrossGlyph{}, Radius: vg.Points(3.5)},
			vg.Point{X: toX(x), Y: c.Max.Y})
	}
}

// DataRange implements plot.DataRanger.
func (s *curve) DataRange() (xmin, xmax, ymin, ymax float64) {
	xmin, ymin, xmax, ymax = math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, part := range s.plotters() {
		left, right, low, high := part.(plot.DataRanger).DataRange()
		xmin, xmax, ymin, ymax = min(xmin, left), max(xmax, right), min(ymin, low), max(ymax, high)
	}
	for _, x := range s.none {
		xmin, xmax = min(xmin, x), max(xmax, x)
	}
	return xmin, xmax, ymin, ymax
}

// GlyphBoxes implements plot.GlyphBoxer.
func (s *curve) GlyphBoxes(p *plot.Plot) (list []plot.GlyphBox) {
	for _, part := range s.plotters() {
		if boxed, ok := part.(plot.GlyphBoxer); ok {
			list = append(list, boxed.GlyphBoxes(p)...)
		}
	}
	return list
}

const labelSize = 10 // points

const (
	leaderWidth = 10 // points, between the plot and the samples
	sampleWidth = 18
	labelGap    = labelSize * 1.25
)

func labelStyle() text.Style {
	style := text.Style{Font: plot.DefaultFont, Color: color.Black, YAlign: text.YCenter, Handler: plot.DefaultTextHandler}
	style.Font.Variant, style.Font.Size = "Sans", labelSize
	return style
}

// endLabel is where the label of a series stands: beside the plot, at the height of the point where
// its line ends, or as near to it as other labels allow.
type endLabel struct {
	*curve
	from, at vg.Point
}

// draw draws the label, with a sample of its line or mark, beside the plot whose right edge is given.
func (l endLabel) draw(c draw.Canvas, edge vg.Length) {
	c.StrokeLines(draw.LineStyle{Color: color.Gray{210}, Width: vg.Points(0.5)}, []vg.Point{
		{X: min(l.from.X+4, edge+2), Y: l.from.Y}, {X: edge + 2, Y: l.from.Y}, {X: l.at.X - 1, Y: l.at.Y}})
	c.StrokeLines(stroke(l.style), []vg.Point{l.at, {X: l.at.X + sampleWidth, Y: l.at.Y}})
	if l.marked {
		c.DrawGlyph(mark(l.style), vg.Point{X: l.at.X + sampleWidth/2, Y: l.at.Y})
	}
	c.FillText(labelStyle(), vg.Point{X: l.at.X + sampleWidth + 4, Y: l.at.Y}, l.name)
}

// movedApart moves heights, given in rising order, apart until neighbours have a gap. It moves them as little as
// possible, and keeps them within bounds if there is room.
func movedApart(wanted []vg.Length, gap, low, high vg.Length) []vg.Length {
	at := slices.Clone(wanted)
	for range 100 { // push overlapping neighbours apart, half the way each
		for i := 1; i < len(at); i++ {
			if short := gap - (at[i] - at[i-1]); short > 0 {
				at[i-1], at[i] = at[i-1]-short/2, at[i]+short/2
			}
		}
	}
	for i := range at {
		at[i] = max(at[i], low+vg.Length(i)*gap)
	}
	for i := range at {
		at[len(at)-1-i] = min(at[len(at)-1-i], high-vg.Length(i)*gap)
	}
	return at
}

// folded breaks a text into lines, to fit the room. A word stays whole, and so do a few words in parentheses.
func folded(style text.Style, words string, room vg.Length) string {
	var lines []string
	line := ""
	for _, w := range regexp.MustCompile(`\([^()]{1,12}\)|\S+`).FindAllString(words, -1) {
		longer := strings.TrimSpace(line + " " + w)
		if line != "" && style.Width(longer) > room {
			lines, longer = append(lines, line), w
		}
		line = longer
	}
	return strings.Join(append(lines, line), "\n")
}
