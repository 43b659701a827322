package report

import (
	"bytes"
	"cmp"
	"fmt"
	"html"
	"image/color"
	"math"
	"regexp"
	"slices"
	"strconv"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgsvg"

	"queens/experiments/config"
)

// figure is a drawn plot.
type figure struct {
	part
	plot   *plot.Plot
	curves []*curve
	tiles  *tiles                                         // instead of series
	tell   func(l line, p linePoint, bound string) string // tooltip of a point
	svg    []byte
	PDF    bool   // whether the report also has it as PDF
	at     layout // layout of the SVG
	// onto draws these labels. The library would centre them on the axis's numeric middle, which on a
	// logarithmic axis is near its end, and would make room beyond it.
	xLabel, yLabel string
}

// path returns the file of a plot's form, within the report's folder.
func (f *figure) path(form string) string { return "plots/" + f.Name + "." + form }

// fonts lists the font whose letter widths plots are laid out with, and fallbacks.
const fonts = "Liberation Sans,Arimo,Arial,Helvetica,sans-serif"

// newFigure returns a figure with a title, labels and a grid. All its text is in the first of the fonts.
func newFigure(asked config.Plot, xLabel, yLabel string) *figure {
	f := &figure{part: newPart(asked.Title), plot: plot.New()}
	f.plot.Title.Text = asked.Title
	for _, style := range []*text.Style{
		&f.plot.Title.TextStyle, &f.plot.X.Label.TextStyle, &f.plot.Y.Label.TextStyle,
		&f.plot.X.Tick.Label, &f.plot.Y.Tick.Label,
	} {
		style.Font.Variant = "Sans"
	}
	f.plot.Title.TextStyle.Font.Size = 11
	f.xLabel, f.yLabel = cmp.Or(asked.XLabel, xLabel), cmp.Or(asked.YLabel, yLabel)
	f.plot.Title.Padding = vg.Points(6)
	grid := plotter.NewGrid()
	grid.Horizontal.Color, grid.Vertical.Color = color.Gray{225}, color.Gray{240}
	f.plot.Add(grid)
	return f
}

// layout holds the places of the parts of a drawn figure.
type layout struct {
	area   draw.Canvas // between the axes
	labels []endLabel
}

// onto draws the plot with its labels, on white.
func (f *figure) onto(c draw.Canvas) (at layout) {
	c.SetColor(color.White)
	c.Fill(c.Rectangle.Path())
	left, bottom := vg.Length(0), vg.Length(0)
	if f.yLabel != "" {
		style := f.plot.Y.Label.TextStyle
		style.Rotation = math.Pi / 2
		left = style.Height(f.yLabel) + style.FontExtents().Descent
		c.FillText(style, vg.Point{X: c.Min.X + left, Y: c.Center().Y}, f.yLabel)
		left += vg.Points(4)
	}
	if f.xLabel != "" {
		bottom = f.plot.X.Label.TextStyle.Height(f.xLabel) + f.plot.X.Label.TextStyle.FontExtents().Descent + vg.Points(2)
	}
	inner := draw.Crop(c, left, -f.labelsWidth()-vg.Points(8), bottom, -vg.Points(4))
	if f.xLabel != "" {
		style := f.plot.X.Label.TextStyle
		at := vg.Point{X: inner.Center().X, Y: c.Min.Y + style.FontExtents().Descent}
		c.FillText(style, at, f.xLabel)
	}
	f.plot.BackgroundColor = nil
	f.plot.Title.Text = folded(f.plot.Title.TextStyle, f.Title, inner.Size().X)
	at.area = f.plot.DataCanvas(inner)
	// Draw the labels first, so that their leaders lie below points.
	at.labels = f.placed(at.area)
	for _, l := range at.labels {
		l.draw(c, at.area.Max.X)
	}
	f.plot.Draw(inner)
	if f.tiles != nil {
		f.tiles.legend(c, vg.Point{X: at.area.Max.X + leaderWidth, Y: at.area.Max.Y})
	}
	return at
}

// size returns the picture's size: 16 by 10 cm, or wider if labels are long, so that the plot keeps some room.
func (f *figure) size() (width, height vg.Length) {
	return max(16*vg.Centimeter, f.labelsWidth()+5*vg.Centimeter), 10 * vg.Centimeter
}

func (f *figure) asSVG() ([]byte, error) {
	canvas := vgsvg.New(f.size())
	f.at = f.onto(draw.New(canvas))
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return nil, fmt.Errorf("plot %q as SVG: %w", f.Title, err)
	}
	return fits(b.Bytes()), nil
}

// fits gives each text a list of fonts, and the width that the layout assumed. The reader's font is stretched
// to this width, so nothing is cut off.
func fits(svg []byte) []byte {
	sans := plot.DefaultFont
	sans.Variant = "Sans"
	element := regexp.MustCompile(`<text ([^>]*)font-family:Liberation Sans;([^>]*)font-size:([0-9.]+)px([^>]*)>([^<]*)</text>`)
	return element.ReplaceAllFunc(svg, func(old []byte) []byte {
		m := element.FindSubmatch(old)
		size, err := strconv.ParseFloat(string(m[3]), 64)
		said := html.UnescapeString(string(m[5]))
		if err != nil || len(said) < 3 {
			return bytes.Replace(old, []byte("Liberation Sans"), []byte(fonts), 1)
		}
		face := font.DefaultCache.Lookup(sans, vg.Points(size))
		return fmt.Appendf(nil,
			`<text textLength="%.5g" lengthAdjust="spacingAndGlyphs" %sfont-family:%s;%sfont-size:%spx%s>%s</text>`,
			face.Width(said).Points(), m[1], fonts, m[2], m[3], m[4], m[5])
	})
}

// latin encodes a PDF's texts in the code page of its fonts, as the library expects.
type latin struct {
	*vgpdf.Canvas
	encode func(string) string
}

// FillString implements vg.Canvas.
func (c latin) FillString(f font.Face, at vg.Point, text string) {
	c.Canvas.FillString(f, at, c.encode(text))
}

func (f *figure) asPDF() ([]byte, error) {
	// By default the library stamps a document with the current time and writes its fonts in
	// map order.
	fpdf.SetDefaultCatalogSort(true)
	fpdf.SetDefaultCreationDate(time.Unix(0, 0).UTC())
	fpdf.SetDefaultModificationDate(time.Unix(0, 0).UTC())
	canvas := latin{vgpdf.New(f.size()), fpdf.New("", "", "", "").UnicodeTranslatorFromDescriptor("")}
	f.onto(draw.New(canvas))
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return nil, fmt.Errorf("plot %q as PDF: %w", f.Title, err)
	}
	return b.Bytes(), nil
}

// labels returns the series that have a label.
func (f *figure) labels() []*curve {
	return slices.DeleteFunc(slices.Clone(f.curves), func(s *curve) bool { return s.name == "" })
}

// labelsWidth returns the width that the labels take on the right of the plot.
func (f *figure) labelsWidth() vg.Length {
	width := vg.Length(0)
	for _, s := range f.labels() {
		width = max(width, labelStyle().Width(s.name)+leaderWidth+sampleWidth+4)
	}
	if f.tiles != nil {
		names, _ := f.tiles.entries()
		for _, way := range names {
			width = max(width, labelStyle().Width(way)+leaderWidth+sampleWidth+4)
		}
	}
	return width
}

// placed positions the labels on the right of the area.
func (f *figure) placed(area draw.Canvas) (list []endLabel) {
	toX, toY := f.plot.Transforms(&area)
	left := area.Max.X + leaderWidth
	for _, s := range f.labels() {
		list = append(list, endLabel{s, vg.Point{X: toX(s.end.x) + s.shift, Y: toY(s.end.Center)}, vg.Point{X: left}})
	}
	slices.SortStableFunc(list, func(a, b endLabel) int { return cmp.Compare(a.from.Y, b.from.Y) })
	var heights []vg.Length
	for _, l := range list {
		heights = append(heights, l.from.Y)
	}
	for i, y := range movedApart(heights, labelGap, area.Min.Y, area.Max.Y) {
		list[i].at.Y = y
	}
	return list
}

// named labels a value at the top of the vertical axis with a name.
func (f *figure) named(value float64, name string) {
	f.plot.Y.Max = max(f.plot.Y.Max, value)
	inner := f.plot.Y.Tick.Marker
	f.plot.Y.Tick.Marker = plot.TickerFunc(func(low, high float64) []plot.Tick {
		var ticks []plot.Tick
		for _, t := range inner.Ticks(low, high) {
			if t.Value < value*0.6 {
				ticks = append(ticks, t)
			}
		}
		return append(ticks, plot.Tick{Value: value, Label: name})
	})
}
