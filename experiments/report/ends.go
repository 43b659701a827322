package report

import (
	"image/color"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const labelSize = 9 // points

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

// label is where the label of a series stands: beside the plot, at the height of the point where
// its line ends, or as near to it as other labels allow.
type label struct {
	*series
	from, at vg.Point
}

// draw draws the label, with a sample of its line or mark, beside the plot whose right edge is given.
func (l label) draw(c draw.Canvas, edge vg.Length) {
	c.StrokeLines(draw.LineStyle{Color: color.Gray{210}, Width: vg.Points(0.5)}, []vg.Point{
		{X: min(l.from.X+4, edge+2), Y: l.from.Y}, {X: edge + 2, Y: l.from.Y}, {X: l.at.X - 1, Y: l.at.Y}})
	c.StrokeLines(stroke(l.style), []vg.Point{l.at, {X: l.at.X + sampleWidth, Y: l.at.Y}})
	if l.marked {
		c.DrawGlyph(mark(l.style), vg.Point{X: l.at.X + sampleWidth/2, Y: l.at.Y})
	}
	c.FillText(labelStyle(), vg.Point{X: l.at.X + sampleWidth + 4, Y: l.at.Y}, l.name)
}

// spread moves heights, given in rising order, apart until neighbours have a gap. It moves them as little as
// possible, and keeps them within bounds if there is room.
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
