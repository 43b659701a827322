package report

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"html"
	"image/color"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
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

	"queens/experiments"
	"queens/experiments/record"
	"queens/experiments/spec"
)

// figure is a drawn plot.
type figure struct {
	part
	plot   *plot.Plot
	legend plot.Legend
	svg    []byte
	// onto draws the labels. The library would centre them on the axis's numeric middle, which
	// on a logarithmic axis is near its end, and make room beyond it.
	xLabel, yLabel string
}

const (
	plotWidth  = 16 * vg.Centimeter
	plotHeight = 10 * vg.Centimeter
)

// palette is Okabe and Ito's, which colour-blind readers can distinguish; shapes and dashes
// distinguish lines without colour. If there are more lines than colours, a colour is reused
// with another shape and dash.
func palette(i int) color.Color {
	return []color.NRGBA{
		{0, 114, 178, 255}, {213, 94, 0, 255}, {0, 158, 115, 255}, {204, 121, 167, 255},
		{230, 159, 0, 255}, {86, 180, 233, 255}, {0, 0, 0, 255}, {128, 128, 128, 255},
	}[i%8]
}

func shape(i int) draw.GlyphDrawer {
	return []draw.GlyphDrawer{
		draw.CircleGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{}, draw.CrossGlyph{},
		draw.RingGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, draw.PlusGlyph{},
	}[(i+i/8)%8]
}

func dashes(i int) []vg.Length {
	return [][]vg.Length{nil, {6, 2}, {2, 2}, {6, 2, 2, 2}}[(i+i/8)%4]
}

// line is one series of points in increasing x, with intervals where known.
type line struct {
	name   string
	xs, ys []float64
	lo, hi []float64   // NaN where unknown
	above  plotter.XYs // lower bounds: most runs of these points reached a limit
	ends   bool        // whether the series continues beyond its last point: a cross marks that
}

func (l *line) add(x, y, lo, hi float64) {
	l.xs, l.ys, l.lo, l.hi = append(l.xs, x), append(l.ys, y), append(l.lo, lo), append(l.hi, hi)
}

func newFigure(asked spec.Plot, xLabel, yLabel string) *figure {
	f := emptyFigure(asked)
	f.xLabel, f.yLabel = cmp.Or(asked.XLabel, xLabel), cmp.Or(asked.YLabel, yLabel)
	f.plot.Title.Padding = vg.Points(6)
	grid := plotter.NewGrid()
	grid.Horizontal.Color, grid.Vertical.Color = color.Gray{225}, color.Gray{240}
	f.plot.Add(grid)
	return f
}

// fonts are those with the letter widths that plots are laid out with, and a fallback.
const fonts = "Liberation Sans,Arimo,Arial,Helvetica,sans-serif"

// emptyFigure returns a figure with nothing but a title; all its text is in the first of the fonts.
func emptyFigure(asked spec.Plot) *figure {
	f := &figure{part: newPart(asked.Title), plot: plot.New(), legend: plot.NewLegend()}
	f.plot.Title.Text = asked.Title
	for _, style := range []*text.Style{
		&f.plot.Title.TextStyle, &f.plot.X.Label.TextStyle, &f.plot.Y.Label.TextStyle,
		&f.plot.X.Tick.Label, &f.plot.Y.Tick.Label, &f.legend.TextStyle,
	} {
		style.Font.Variant = "Sans"
	}
	f.legend.TextStyle.Font.Size, f.plot.Title.TextStyle.Font.Size = 9, 11
	return f
}

// figure draws the plot that the spec asks for, and makes the table that comes with it. f is
// nil if the records hold nothing to draw, t if the plot has no table.
func (d *data) figure(asked spec.Plot) (f *figure, t *table, err error) {
	chosen, err := d.where(asked.Where)
	if err == nil && (asked.Kind == "lines" || asked.Kind == spec.Ratio) {
		err = chosen.pooled(append(slices.Clone(asked.Series), asked.X), []string{asked.Y})
	}
	if err == nil {
		f, t, err = chosen.drawn(asked)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("plot %q: %w", asked.Title, err)
	}
	if f != nil {
		f.where(asked.Where)
	}
	if t != nil {
		t.where(asked.Where)
	}
	return f, t, nil
}

// drawn does the work of figure on the records that the plot shows.
func (d *data) drawn(asked spec.Plot) (f *figure, t *table, err error) {
	names := d.series(asked.Series)
	if asked.Base != "" && !slices.Contains(names, asked.Base) {
		return nil, nil, fmt.Errorf("base %q: expected one of the series %s%s", asked.Base,
			strings.Join(names, ", "), experiments.DidYouMean(asked.Base, names))
	}
	switch asked.Kind {
	case "lines":
		f, err = d.lines(asked)
	case "cactus":
		f, err = d.cactus(asked)
	case "scatter":
		f, err = d.scatter(asked)
	case "profile":
		f, err = d.profile(asked)
	case "board":
		f, err = d.board(asked)
	case spec.BreakEven:
		return d.breakEven(asked)
	case spec.Ratio:
		return d.ratio(asked)
	default:
		err = fmt.Errorf("unknown kind %q", asked.Kind)
	}
	return f, nil, err
}

func (d *data) lines(asked spec.Plot) (*figure, error) {
	if len(d.numeric([]string{asked.X})) == 0 {
		return nil, fmt.Errorf("x: no record has a number in %q", asked.X)
	}
	f := newFigure(asked, axisLabel(asked.X), axisLabel(asked.Y))
	var lines []line
	seen := shown{}
	var unwell []string
	for _, s := range d.group(d.set.Rows, asked.Series) {
		l := line{name: seriesOf(s.records[0], asked.Series)}
		var lost, reach []string
		for _, p := range d.group(s.records, []string{asked.X}) {
			x, err := strconv.ParseFloat(p.value(asked.X), 64)
			taken := d.take(p.records, asked.Y)
			taken.mean = asked.Mean
			at := fmt.Sprintf(" of %d at %s = %s", len(p.records), asked.X, p.value(asked.X))
			if text := outcomeText(taken.lost); text != "" {
				lost = append(lost, text+at)
			}
			if text := outcomeText(taken.reach); text != "" {
				reach = append(reach, text+at)
			}
			sum, ok := taken.summary()
			if err != nil || !ok {
				continue
			}
			seen.pool(d, p.records)
			seen.add(taken)
			if taken.limited(sum) {
				l.above = append(l.above, plotter.XY{X: x, Y: sum.center})
				continue
			}
			l.add(x, sum.center, sum.lo, sum.hi)
		}
		if lost != nil {
			unwell = append(unwell,
				of(l.name, "runs that did not end well and are not in the line: "+strings.Join(lost, "; ")+"."))
		}
		if reach != nil {
			unwell = append(unwell, of(l.name, "runs that reached the limit and count as what was left of it; "+
				"a hollow triangle where most did: "+strings.Join(reach, "; ")+"."))
		}
		lines = append(lines, l)
	}
	f.Notes = append(seen.notes(d), unwell...)
	return f, f.draw(lines, asked, d.ticks(asked.X), true)
}

// of prefixes a note with the name of its series, if the plot has several.
func of(series, note string) string {
	if series == "" {
		return note
	}
	return series + ": " + note
}

// draw adds the lines, and sets up the axes for them.
func (f *figure) draw(lines []line, asked spec.Plot, xTicks []float64, marks bool) error {
	logX := asked.LogX && positive(lines, func(l line) []float64 { return l.xs })
	logY := asked.LogY && positive(lines, func(l line) []float64 { return l.ys })
	for i, l := range lines {
		if _, err := f.marks(l.above, i, draw.TriangleGlyph{}, 4.5); err != nil {
			return err
		}
		points := make(plotter.XYs, len(l.xs))
		var errors plotter.YErrors
		var errorPoints plotter.XYs
		for j := range l.xs {
			points[j] = plotter.XY{X: l.xs[j], Y: l.ys[j]}
			if l.lo != nil && !math.IsNaN(l.lo[j]) && l.lo[j] < l.hi[j] && (!logY || l.lo[j] > 0) {
				errorPoints = append(errorPoints, points[j])
				errors = append(errors, struct{ Low, High float64 }{l.ys[j] - l.lo[j], l.hi[j] - l.ys[j]})
			}
		}
		if len(points) == 0 {
			continue
		}
		if l.ends {
			if _, err := f.marks(points[len(points)-1:], i, draw.CrossGlyph{}, 4.5); err != nil {
				return err
			}
		}
		drawn, err := plotter.NewLine(points)
		if err != nil {
			return err
		}
		drawn.LineStyle = draw.LineStyle{Color: palette(i), Width: vg.Points(1.2), Dashes: dashes(i)}
		f.plot.Add(drawn)
		entry := []plot.Thumbnailer{drawn}
		if marks {
			scatter, err := f.marks(points, i, shape(i), 2.5)
			if err != nil {
				return err
			}
			entry = append(entry, scatter)
		}
		if len(errors) > 0 {
			bars, err := plotter.NewYErrorBars(struct {
				plotter.XYer
				plotter.YErrorer
			}{errorPoints, errors})
			if err != nil {
				return err
			}
			bars.LineStyle.Color = palette(i)
			f.plot.Add(bars)
		}
		if l.name != "" {
			f.legend.Add(l.name, entry...)
		}
	}
	scaleAxis(&f.plot.X, logX, asked.X, xTicks, 2)
	scaleAxis(&f.plot.Y, logY, asked.Y, nil, 4)
	return nil
}

// marks draws points in the colour of series i, if there are any.
func (f *figure) marks(points plotter.XYs, i int, as draw.GlyphDrawer, radius float64) (*plotter.Scatter, error) {
	if len(points) == 0 {
		return nil, nil
	}
	drawn, err := plotter.NewScatter(points)
	if err != nil {
		return nil, err
	}
	drawn.GlyphStyle = draw.GlyphStyle{Color: palette(i), Shape: as, Radius: vg.Points(radius)}
	f.plot.Add(drawn)
	return drawn, nil
}

// named gives a name to a value at the top of the vertical axis.
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

func positive(lines []line, of func(line) []float64) bool {
	for _, l := range lines {
		for _, v := range of(l) {
			if v <= 0 {
				return false
			}
		}
	}
	return true
}

// cactus draws how many runs of each series finish within a time. The horizontal axis spans all
// runs, including those that a limit ended.
func (d *data) cactus(asked spec.Plot) (*figure, error) {
	f := newFigure(asked, "runs finished, of all", axisLabel(asked.Y))
	var lines []line
	total := 0
	for _, s := range d.group(d.set.Rows, asked.Series) {
		l := line{name: seriesOf(s.records[0], asked.Series)}
		l.ys = s.values(asked.Y)
		slices.Sort(l.ys)
		for i := range l.ys {
			l.xs = append(l.xs, float64(i+1))
		}
		total = max(total, len(s.records))
		if lost := len(s.records) - len(l.ys); lost > 0 {
			l.ends = true
			l.name += fmt.Sprintf(", %d of %d", len(l.ys), len(s.records))
			f.Notes = append(f.Notes, of(l.name, fmt.Sprintf(
				"%d of %d runs did not finish; the line ends in a cross before them.", lost, len(s.records))))
		}
		lines = append(lines, l)
	}
	f.Notes = append(f.Notes, "Each line orders its runs by time: further right means more runs within the time.")
	err := f.draw(lines, asked, nil, false)
	f.plot.X.Min, f.plot.X.Max = 0, float64(max(total, 1))
	return f, err
}

// scatter draws the first series' value at every point against that of each other series.
func (d *data) scatter(asked spec.Plot) (*figure, error) {
	names := d.series(asked.Series)
	if len(names) < 2 {
		return nil, nil
	}
	if i := slices.Index(names, asked.Base); i > 0 {
		names = slices.Concat(names[i:i+1], names[:i], names[i+1:])
	}
	others := slices.DeleteFunc(slices.Clone(d.varied), func(p string) bool { return slices.Contains(asked.Series, p) })
	f := newFigure(asked, names[0]+": "+axisLabel(asked.Y), axisLabel(asked.Y)+" of the other")
	low, high := math.Inf(1), math.Inf(-1)
	for i, name := range names[1:] {
		var points plotter.XYs
		missing := 0
		for _, p := range d.group(d.set.Rows, others) {
			byName := p.bySeries(asked.Series)
			ofA, ofB := d.take(byName[names[0]], asked.Y), d.take(byName[name], asked.Y)
			if len(ofA.lost) > 0 || len(ofB.lost) > 0 {
				missing++
			}
			a, okA := ofA.summary()
			b, okB := ofB.summary()
			if okA && okB && (!asked.LogY || a.center > 0 && b.center > 0) {
				points = append(points, plotter.XY{X: a.center, Y: b.center})
				low, high = min(low, a.center, b.center), max(high, a.center, b.center)
			}
		}
		if missing > 0 {
			f.Notes = append(f.Notes, fmt.Sprintf(
				"%s: at %d points runs of it or of %s did not end well and are not in the medians; "+
					"a point without other runs has no mark.", name, missing, names[0]))
		}
		if len(points) == 0 {
			continue
		}
		marks, err := f.marks(points, i, shape(i), 2.5)
		if err != nil {
			return nil, err
		}
		f.legend.Add(name, marks)
	}
	if low > high {
		return nil, nil
	}
	diagonal, err := plotter.NewLine(plotter.XYs{{X: low, Y: low}, {X: high, Y: high}})
	if err != nil {
		return nil, err
	}
	diagonal.Color = color.Gray{128}
	f.plot.Add(diagonal)
	f.Notes = append(
		[]string{"One mark per point of the grid, at its medians; above the diagonal, " + names[0] + " is smaller."},
		f.Notes...)
	scaleAxis(&f.plot.X, asked.LogY, asked.Y, nil, 2)
	scaleAxis(&f.plot.Y, asked.LogY, asked.Y, nil, 4)
	return f, nil
}

// atLargest returns the records with the largest x, and a note that says so; all records if x
// is empty.
func (d *data) atLargest(x string) (records []record.Row, notes []string) {
	if x == "" {
		return d.set.Rows, nil
	}
	points := d.group(d.set.Rows, []string{x})
	largest := points[len(points)-1]
	return largest.records, []string{fmt.Sprintf("%s = %s.", x, largest.value(x))}
}

// list reads a list-valued measure in the first of the records that has one: in all of them it
// is the same. The run is nil if none has.
func list(records []record.Row, measure string) (run record.Row, values []float64, err error) {
	i := slices.IndexFunc(records, func(r record.Row) bool { return r.Outcome() == record.OK && r[measure] != "" })
	if i < 0 {
		return nil, nil, nil
	}
	run = records[i]
	for i, text := range strings.Split(run[measure], ";") {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, nil, fmt.Errorf("run %s: %s at position %d: %q is not a number", run.ID(), measure, i, text)
		}
		values = append(values, v)
	}
	return run, values, nil
}

// profile draws a list-valued measure by position, at the largest x, one line per series.
func (d *data) profile(asked spec.Plot) (*figure, error) {
	f := newFigure(asked, "position in "+spec.Label(asked.Y), axisLabel(asked.Y))
	records, notes := d.atLargest(asked.X)
	f.Notes = notes
	var lines []line
	for _, s := range d.group(records, asked.Series) {
		l := line{name: seriesOf(s.records[0], asked.Series)}
		_, values, err := list(s.records, asked.Y)
		if err != nil {
			return nil, err
		}
		for i, v := range values {
			if !asked.LogY || v > 0 {
				l.xs, l.ys = append(l.xs, float64(i)), append(l.ys, v)
			}
		}
		lines = append(lines, l)
	}
	asked.X = ""
	return f, f.draw(lines, asked, nil, false)
}

// ticks returns a parameter's own values, if they are few.
func (d *data) ticks(parameter string) []float64 {
	if len(d.values[parameter]) > 14 {
		return nil
	}
	var ticks []float64
	for _, text := range d.values[parameter] {
		if v, err := strconv.ParseFloat(text, 64); err == nil {
			ticks = append(ticks, v)
		}
	}
	return ticks
}

// axisLabel names a column in words; the ticks have the units of times and sizes.
func axisLabel(column string) string {
	if column == "n" {
		return "size n"
	}
	stem, isCPU := strings.CutSuffix(column, "_cpu_seconds")
	switch {
	case isCPU:
		return spec.Label(stem) + ", processor time"
	case column == "wall_seconds":
		return "wall-clock time of a run"
	case unit(column) == "s":
		return spec.Label(column) + ", wall-clock time"
	case unit(column) == "B":
		return spec.Label(strings.TrimSuffix(column, "_bytes")) + ", memory"
	}
	return spec.Label(column)
}

// scaleAxis sets the scale and the ticks, labelled in the measure's units. Beyond the given
// number of decades, only powers of ten have ticks.
func scaleAxis(axis *plot.Axis, log bool, measure string, at []float64, decades int) {
	if axis.Min > axis.Max { // nothing was drawn
		axis.Min, axis.Max = 0, 1
		log = false
	}
	if axis.Min == axis.Max {
		if log {
			axis.Min, axis.Max = axis.Min/2, axis.Max*2
		} else {
			axis.Min, axis.Max = axis.Min-1, axis.Max+1
		}
	}
	label := func(v float64) string { // without trailing zeros: 1 ms, not 1.00 ms
		digits, unit, _ := strings.Cut(number(measure, v), " ")
		if strings.Contains(digits, ".") {
			digits = strings.TrimRight(strings.TrimRight(digits, "0"), ".")
		}
		return strings.TrimSpace(digits + " " + unit)
	}
	if log {
		axis.Scale = plot.LogScale{}
	} else if axis.Min > 0 && at == nil {
		axis.Min = 0
	}
	axis.Tick.Marker = plot.TickerFunc(func(low, high float64) []plot.Tick {
		values := at
		if values == nil && log && unit(measure) == "B" {
			values = powersOfTwo(low, high)
		} else if values == nil && log {
			values = logTicks(low, high, decades)
		} else if values == nil {
			values = linearTicks(low, high)
		}
		var ticks []plot.Tick
		for _, v := range values {
			if v >= low*(1-1e-9) && v <= high*(1+1e-9) {
				ticks = append(ticks, plot.Tick{Value: v, Label: label(v)})
			}
		}
		return ticks
	})
}

// logTicks returns powers of ten, with 2 and 5 between them up to the given number of decades.
func logTicks(low, high float64, decades int) []float64 {
	first, last := int(math.Floor(math.Log10(low))), int(math.Ceil(math.Log10(high)))
	factors := []int{1, 2, 5}
	if last-first > decades {
		factors = []int{1}
	}
	step := 1 + (last-first)/12
	var ticks []float64
	for e := first; e <= last; e += step {
		for _, f := range factors {
			// Parsed, not computed, so that a power of ten is the nearest floating-point
			// number.
			v, err := strconv.ParseFloat(fmt.Sprintf("%de%d", f, e), 64)
			if err == nil {
				ticks = append(ticks, v)
			}
		}
	}
	return ticks
}

// powersOfTwo returns about eight ticks for amounts of memory.
func powersOfTwo(low, high float64) []float64 {
	first, last := math.Floor(math.Log2(low)), math.Ceil(math.Log2(high))
	step := math.Ceil((last - first) / 8)
	var ticks []float64
	for e := first; e <= last; e += max(1, step) {
		ticks = append(ticks, math.Exp2(e))
	}
	return ticks
}

// linearTicks returns about six multiples of 1, 2 or 5 times a power of ten.
func linearTicks(low, high float64) []float64 {
	span := high - low
	if span <= 0 {
		return []float64{low}
	}
	step := math.Pow(10, math.Floor(math.Log10(span/5)))
	for _, f := range []float64{1, 2, 5, 10} {
		if span/(step*f) <= 7 {
			step *= f
			break
		}
	}
	var ticks []float64
	for i := math.Ceil(low / step); i*step <= high; i++ {
		ticks = append(ticks, i*step)
	}
	return ticks
}

// onto draws the plot with its labels, and the legend on its right, all on white.
func (f *figure) onto(c draw.Canvas) {
	c.SetColor(color.White)
	c.Fill(c.Rectangle.Path())
	f.plot.BackgroundColor = nil
	f.legend.Top, f.legend.Left = true, true
	f.legend.Padding = vg.Points(3)
	width := vg.Length(0)
	if size := f.legend.Rectangle(c).Size(); size.X > 0 {
		width = size.X + vg.Points(8)
	}
	left, bottom := vg.Length(0), vg.Length(0)
	if f.yLabel != "" {
		style := f.plot.Y.Label.TextStyle
		style.Rotation = math.Pi / 2
		left = style.Height(f.yLabel) + style.FontExtents().Descent
		c.FillText(style, vg.Point{X: c.Min.X + left, Y: c.Center().Y}, f.yLabel)
		left += vg.Points(4)
	}
	if f.xLabel != "" {
		style := f.plot.X.Label.TextStyle
		descent := style.FontExtents().Descent
		c.FillText(style, vg.Point{X: (c.Min.X + left + c.Max.X - width) / 2, Y: c.Min.Y + descent}, f.xLabel)
		bottom = style.Height(f.xLabel) + descent + vg.Points(2)
	}
	f.plot.Draw(draw.Crop(c, left, -width-vg.Points(8), bottom, -vg.Points(4)))
	if width > 0 {
		f.legend.Draw(draw.Crop(c, plotWidth-width, 0, 0, -vg.Points(24)))
	}
}

func (f *figure) asSVG() ([]byte, error) {
	canvas := vgsvg.New(plotWidth, plotHeight)
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

func (f *figure) asPDF() ([]byte, error) {
	// By default the library stamps a document with the current time and writes its fonts in
	// map order.
	fpdf.SetDefaultCatalogSort(true)
	fpdf.SetDefaultCreationDate(time.Unix(0, 0).UTC())
	fpdf.SetDefaultModificationDate(time.Unix(0, 0).UTC())
	canvas := &outlined{CanvasWriterTo: vgpdf.New(plotWidth, plotHeight)}
	f.onto(draw.NewCanvas(canvas, plotWidth, plotHeight))
	var b bytes.Buffer
	_, err := canvas.WriteTo(&b)
	if err = errors.Join(canvas.err, err); err != nil {
		return nil, fmt.Errorf("plot %q as PDF: %w", f.Title, err)
	}
	return b.Bytes(), nil
}
