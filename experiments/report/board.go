package report

import (
	"fmt"
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"queens/experiments/config"
)

// board draws a list-valued measure at the largest x as square boards, one per series. The list
// holds the rows from the bottom up; darker cells have larger numbers.
func (d *data) board(asked config.Plot) ([]*figure, error) {
	f := emptyFigure(asked)
	f.plot.HideAxes()
	records, notes := d.atLargest(asked.X)
	f.Notes = notes
	var boards []board
	for _, s := range d.group(records, asked.Series) {
		run, values, err := list(s.records, asked.Y)
		if err != nil {
			return nil, err
		}
		if values == nil {
			continue
		}
		b := board{d.legend(run, asked.Series), int(math.Sqrt(float64(len(values)))), values}
		if b.side*b.side != len(values) {
			return nil, fmt.Errorf("run %s: %s has %d numbers, which do not fill a square", run.ID(), asked.Y,
				len(values))
		}
		boards = append(boards, b)
	}
	if len(boards) == 0 {
		return nil, nil
	}
	f.Notes = append(f.Notes, fmt.Sprintf("Each cell's %s: darker is larger.", config.Label(asked.Y)))
	// As large as the picture allows, from the top left.
	abreast, largest := 1, vg.Length(0)
	for n := 1; n <= len(boards); n++ {
		rows := (len(boards) + n - 1) / n
		if size := min(f.width/vg.Length(n), f.height/vg.Length(rows)); size > largest {
			abreast, largest = n, size
		}
	}
	f.plot.Add(boardsPlotter{boards, abreast})
	return []*figure{f}, nil
}

// board is one square of numbers, row by row from the bottom.
type board struct {
	name   string
	side   int
	values []float64
}

// boardsPlotter draws boards in rows.
type boardsPlotter struct {
	boards  []board
	abreast int
}

var _ plot.Plotter = boardsPlotter{}

// Plot implements plot.Plotter.
func (p boardsPlotter) Plot(c draw.Canvas, _ *plot.Plot) {
	rows := (len(p.boards) + p.abreast - 1) / p.abreast
	const caption = 14 // points, above each board
	width, height := c.Size().X/vg.Length(p.abreast), c.Size().Y/vg.Length(rows)
	size := min(width, height-caption) * 0.94
	for i, b := range p.boards {
		left := c.Min.X + vg.Length(i%p.abreast)*width + (width-size)/2
		bottom := c.Max.Y - vg.Length(i/p.abreast+1)*height + (height-caption-size)/2
		b.draw(c, left, bottom, size)
	}
}

func (b board) draw(c draw.Canvas, left, bottom, size vg.Length) {
	low, high := b.values[0], b.values[0]
	for _, v := range b.values {
		low, high = min(low, v), max(high, v)
	}
	cell := size / vg.Length(b.side)
	style := labelStyle()
	style.XAlign = text.XCenter
	for i, v := range b.values {
		x, y := left+vg.Length(i%b.side)*cell, bottom+vg.Length(i/b.side)*cell
		share := 0.0
		if high > low {
			share = (v - low) / (high - low)
		}
		c.FillPolygon(shade(share),
			[]vg.Point{{X: x, Y: y}, {X: x + cell, Y: y}, {X: x + cell, Y: y + cell}, {X: x, Y: y + cell}})
		style.Font.Size = min(cell*0.45, 9)
		style.Color = color.Black
		if share > 0.55 {
			style.Color = color.White
		}
		c.FillText(style, vg.Point{X: x + cell/2, Y: y + cell/2}, strconv.FormatFloat(v, 'f', -1, 64))
	}
	style.Font.Size, style.Color, style.YAlign = 9, color.Black, text.YBottom
	c.FillText(style, vg.Point{X: left + size/2, Y: bottom + size + 2}, b.name)
}

// shade returns a colour between light yellow (0) and near black (1), through the palette's
// blue.
func shade(share float64) color.Color {
	stops := []color.NRGBA{{255, 250, 215, 255}, {120, 190, 220, 255}, {0, 90, 150, 255}, {10, 25, 60, 255}}
	at := share * float64(len(stops)-1)
	i := min(int(at), len(stops)-2)
	part := at - float64(i)
	mix := func(a, b uint8) uint8 { return uint8(math.Round(float64(a) + float64(part*(float64(b)-float64(a))))) }
	from, to := stops[i], stops[i+1]
	return color.NRGBA{mix(from.R, to.R), mix(from.G, to.G), mix(from.B, to.B), 255}
}
