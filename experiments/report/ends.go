package report

import (
	"cmp"
	"image/color"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// end is the label of a series, with a sample of its line or mark. It stands on the right of the
// plot at the height of the point where the line ends, or as near to it as other labels allow.
type end struct {
	name   string
	series int
	x, y   float64
	marked bool // whether it has marks
}

const (
	leaderWidth = 10 // points, between the plot and the samples
	sampleWidth = 18
)

func labelStyle() text.Style {
	style := text.Style{Font: plot.DefaultFont, Color: color.Black, YAlign: text.YCenter, Handler: plot.DefaultTextHandler}
	style.Font.Variant, style.Font.Size = "Sans", labelSize
	return style
}

// endsWidth returns the room that the labels take on the right of the plot.
func (f *figure) endsWidth() vg.Length {
	width := vg.Length(0)
	for _, e := range f.ends {
		width = max(width, labelStyle().Width(e.name)+leaderWidth+sampleWidth+4)
	}
	return width
}

// drawEnds draws the labels beside the plot's area.
func (f *figure) drawEnds(c, area draw.Canvas) {
	toX, toY := f.plot.Transforms(&area)
	ends := slices.Clone(f.ends)
	slices.SortStableFunc(ends, func(a, b end) int { return cmp.Compare(toY(a.y), toY(b.y)) })
	var heights []vg.Length
	for _, e := range ends {
		heights = append(heights, toY(e.y))
	}
	left := area.Max.X + leaderWidth
	for i, y := range spread(heights, labelSize*1.25, area.Min.Y, area.Max.Y) {
		e := ends[i]
		from := vg.Point{X: toX(e.x), Y: toY(e.y)}
		c.StrokeLines(draw.LineStyle{Color: color.Gray{190}, Width: vg.Points(0.5)},
			[]vg.Point{{X: min(from.X+4, area.Max.X+2), Y: from.Y}, {X: area.Max.X + 2, Y: from.Y}, {X: left - 1, Y: y}})
		c.StrokeLines(draw.LineStyle{Color: palette(e.series), Width: vg.Points(1.2), Dashes: dashes(e.series)},
			[]vg.Point{{X: left, Y: y}, {X: left + sampleWidth, Y: y}})
		if e.marked {
			c.DrawGlyph(draw.GlyphStyle{Color: palette(e.series), Shape: shape(e.series), Radius: vg.Points(2.5)},
				vg.Point{X: left + sampleWidth/2, Y: y})
		}
		c.FillText(labelStyle(), vg.Point{X: left + sampleWidth + 4, Y: y}, e.name)
	}
}

// spread moves rising heights apart until neighbours have a gap, as little as that takes and within
// bounds if there is room.
func spread(wanted []vg.Length, gap, low, high vg.Length) []vg.Length {
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
