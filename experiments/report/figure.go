package report

import (
	"bytes"
	"cmp"
	"fmt"
	"html"
	"image/color"
	"math"
	"regexp"
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
	ends   []end     // the labels of its lines
	panels []*figure // side by side, instead of the plot
	svg    []byte
	// onto draws the labels. The library would centre them on the axis's numeric middle, which
	// on a logarithmic axis is near its end, and make room beyond it.
	xLabel, yLabel string
}

const (
	plotWidth  = 16 * vg.Centimeter
	plotHeight = 10 * vg.Centimeter
	labelSize  = 9 // points
)

// maxSeries is the number of series that a plot tells apart.
const maxSeries = 8

// palette is as far apart as eight colours can be for people with normal vision and with each
// kind of colour blindness; a test simulates these. Shapes and dashes distinguish the series
// without colour.
func palette(i int) color.NRGBA {
	return [maxSeries]color.NRGBA{
		{11, 53, 139, 255}, {183, 30, 4, 255}, {25, 195, 121, 255}, {236, 153, 4, 255},
		{0, 0, 0, 255}, {143, 139, 255, 255}, {107, 67, 96, 255}, {198, 155, 196, 255},
	}[i]
}

func shape(i int) draw.GlyphDrawer {
	return [maxSeries]draw.GlyphDrawer{
		draw.CircleGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{}, draw.CrossGlyph{},
		draw.RingGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, draw.PlusGlyph{},
	}[i]
}

func dashes(i int) []vg.Length {
	return [maxSeries][]vg.Length{
		nil, {6, 2}, {2, 2}, {6, 2, 2, 2}, {10, 2}, {4, 4}, {1, 3}, {10, 2, 2, 2, 2, 2},
	}[i]
}

// fonts are those with the letter widths that plots are laid out with, and a fallback.
const fonts = "Liberation Sans,Arimo,Arial,Helvetica,sans-serif"

// emptyFigure returns a figure with nothing but a title; all its text is in the first of the fonts.
func emptyFigure(asked config.Plot) *figure {
	f := &figure{part: newPart(asked.Title), plot: plot.New()}
	f.plot.Title.Text = asked.Title
	for _, style := range []*text.Style{
		&f.plot.Title.TextStyle, &f.plot.X.Label.TextStyle, &f.plot.Y.Label.TextStyle,
		&f.plot.X.Tick.Label, &f.plot.Y.Tick.Label,
	} {
		style.Font.Variant = "Sans"
	}
	f.plot.Title.TextStyle.Font.Size = 11
	return f
}

func newFigure(asked config.Plot, xLabel, yLabel string) *figure {
	f := emptyFigure(asked)
	f.xLabel, f.yLabel = cmp.Or(asked.XLabel, xLabel), cmp.Or(asked.YLabel, yLabel)
	f.plot.Title.Padding = vg.Points(6)
	grid := plotter.NewGrid()
	grid.Horizontal.Color, grid.Vertical.Color = color.Gray{225}, color.Gray{240}
	f.plot.Add(grid)
	return f
}

// marks draws points in the colour of series i, if there are any.
func (f *figure) marks(points linePoints, i int, as draw.GlyphDrawer, radius float64) error {
	if len(points) == 0 {
		return nil
	}
	drawn, err := plotter.NewScatter(points)
	if err != nil {
		return err
	}
	drawn.GlyphStyle = draw.GlyphStyle{Color: palette(i), Shape: as, Radius: vg.Points(radius)}
	f.plot.Add(drawn)
	return nil
}

// onto draws the plot with its labels, on white, and returns the area between its axes.
func (f *figure) onto(c draw.Canvas) draw.Canvas {
	c.SetColor(color.White)
	c.Fill(c.Rectangle.Path())
	f.plot.BackgroundColor = nil
	left, bottom, right := vg.Length(0), vg.Length(0), f.endsWidth()
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
	inner := draw.Crop(c, left, -right-vg.Points(8), bottom, -vg.Points(4))
	if f.xLabel != "" {
		style := f.plot.X.Label.TextStyle
		at := vg.Point{X: inner.Center().X, Y: c.Min.Y + style.FontExtents().Descent}
		c.FillText(style, at, f.xLabel)
	}
	plots := []*plot.Plot{f.plot}
	for i, p := range f.panels {
		if plots = append(plots[:i], p.plot); i > 0 {
			p.plot.Y.Tick.Marker = unlabelled(p.plot.Y.Tick.Marker)
		}
		f.plot = p.plot // the labels stand beside the last
	}
	canvases := plot.Align([][]*plot.Plot{plots}, draw.Tiles{Cols: len(plots), Rows: 1, PadX: vg.Points(8)}, inner)[0]
	for i, p := range plots {
		p.Draw(canvases[i])
	}
	area := f.plot.DataCanvas(canvases[len(plots)-1])
	f.drawEnds(c, area)
	return area
}

// unlabelled keeps the ticks, and with them the grid, without their labels.
func unlabelled(of plot.Ticker) plot.Ticker {
	return plot.TickerFunc(func(low, high float64) []plot.Tick {
		ticks := of.Ticks(low, high)
		for i := range ticks {
			ticks[i].Label = " "
		}
		return ticks
	})
}

// width returns the width of the picture.
func (f *figure) width() vg.Length { return plotWidth * vg.Length(max(2, len(f.panels))) / 2 }

func (f *figure) asSVG() ([]byte, error) {
	canvas := vgsvg.New(f.width(), plotHeight)
	f.onto(draw.New(canvas))
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return nil, fmt.Errorf("plot %q as SVG: %w", f.Title, err)
	}
	return fits(b.Bytes()), nil
}

var svgText = regexp.MustCompile(
	`<text ([^>]*)font-family:Liberation Sans;([^>]*)font-size:([0-9.]+)px([^>]*)>([^<]*)</text>`,
)

// fits gives each text a list of fonts and the width that the plot was laid out with. A
// reader's font is stretched to this width, so nothing is cut off.
func fits(svg []byte) []byte {
	sans := plot.DefaultFont
	sans.Variant = "Sans"
	return svgText.ReplaceAllFunc(svg, func(old []byte) []byte {
		m := svgText.FindSubmatch(old)
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

// latin encodes a PDF's texts in the code page of its fonts, which the library expects.
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
	canvas := latin{vgpdf.New(f.width(), plotHeight), fpdf.New("", "", "", "").UnicodeTranslatorFromDescriptor("")}
	f.onto(draw.New(canvas))
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return nil, fmt.Errorf("plot %q as PDF: %w", f.Title, err)
	}
	return b.Bytes(), nil
}
