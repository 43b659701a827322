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

// namedPoint is a point with a name.
type namedPoint struct {
	x, y float64
	name string
}

// nearby writes names beside points, on the side that has more room, apart from each other.
type nearby []namedPoint

// Plot implements plot.Plotter.
func (names nearby) Plot(c draw.Canvas, p *plot.Plot) {
	if len(names) == 0 {
		return
	}
	toX, toY := p.Transforms(&c)
	sorted := slices.SortedFunc(slices.Values(names), func(a, b namedPoint) int { return cmp.Compare(a.y, b.y) })
	var heights []vg.Length
	for _, n := range sorted {
		heights = append(heights, toY(n.y))
	}
	for i, y := range movedApart(heights, labelGap, c.Min.Y, c.Max.Y) {
		style, at := labelStyle(), vg.Point{X: toX(sorted[i].x) + 6, Y: y}
		style.Font.Size = 8
		if at.X > c.Center().X {
			style.XAlign, at.X = text.XRight, at.X-12
		}
		c.FillText(style, at, sorted[i].name)
	}
}

// atOne is a line where ratios are 1.
type atOne struct{}

// Plot implements plot.Plotter.
func (atOne) Plot(c draw.Canvas, p *plot.Plot) {
	_, toY := p.Transforms(&c)
	if y := toY(1); y >= c.Min.Y && y <= c.Max.Y {
		c.StrokeLine2(draw.LineStyle{Color: color.Gray{120}, Width: vg.Points(1)}, c.Min.X, y, c.Max.X, y)
	}
}
