package report

import (
	"fmt"
	"html"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// tile is one place of a map: the way that wins there, or the ways between which nothing is decided.
type tile struct {
	winner string   // a series' name; empty if none wins
	level  []string // the series that may be the best; nil if nothing is known
	why    string   // why nothing is known
	said   string   // its tooltip
}

// fullName names a tile. Neighbours with equal names are one area.
func (t tile) fullName() string {
	switch {
	case t.winner != "":
		return t.winner
	case t.level != nil:
		return "level: " + strings.Join(t.level, ", ")
	}
	return t.why
}

// best returns the ways that may be the best.
func (t tile) best() []string {
	if t.winner != "" {
		return []string{t.winner}
	}
	return t.level
}

// brief is what a map says of a tile: level ways have stripes, so it only names them.
func (t tile) brief() string {
	if t.level != nil {
		return strings.Join(t.level, ", ")
	}
	return t.fullName()
}

// tiles is a map of filled tiles, a column for each category and a row for each step of a logarithmic axis. Names
// are written into its areas, so that a reader needs neither a legend nor colours.
type tiles struct {
	columns []string       // categories
	steps   []float64      // increasing
	at      [][]tile       // by column and step
	styles  map[string]int // of each way: its tint is fill's
}

var _ interface {
	plot.Plotter
	plot.DataRanger
} = &tiles{}

// ways lists the ways that win or are level somewhere, as they appear.
func (m *tiles) ways() (names []string) {
	for _, t := range slices.Concat(m.at...) {
		for _, name := range t.best() {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// entries lists what a legend names: the ways, methods of one colour together.
func (m *tiles) entries() (names []string, styles []int) {
	for _, name := range m.ways() {
		style := m.styles[name] % maxSeries
		if i := slices.Index(styles, style); i < 0 {
			names, styles = append(names, name), append(styles, style)
		} else if way, _ := wayOf(name); way != "" {
			names[i] = way
		}
	}
	return names, styles
}

// legend names the colours, beside the map.
func (m *tiles) legend(c draw.Canvas, at vg.Point) {
	names, styles := m.entries()
	for i, name := range names {
		at.Y -= labelGap
		c.SetColor(fill(styles[i]))
		box := vg.Rectangle{Min: vg.Point{X: at.X, Y: at.Y - labelSize/2}, Max: vg.Point{X: at.X + sampleWidth, Y: at.Y + labelSize/2}}
		c.Fill(box.Path())
		c.FillText(labelStyle(), vg.Point{X: at.X + sampleWidth + 4, Y: at.Y}, name)
	}
}

// edges returns the lower and the upper edge of a step: halfway to its neighbours on a logarithmic axis.
func (m *tiles) edges(step int) (low, high float64) {
	last := len(m.steps) - 1
	between := func(i int) float64 { return math.Sqrt(m.steps[i] * m.steps[i+1]) }
	low, high = m.steps[0]/math.Sqrt2, m.steps[last]*math.Sqrt2
	if step > 0 {
		low = between(step - 1)
	}
	if step < last {
		high = between(step)
	}
	return low, high
}

// DataRange implements plot.DataRanger. A column is one wide, around its index.
func (m *tiles) DataRange() (xmin, xmax, ymin, ymax float64) {
	low, _ := m.edges(0)
	_, high := m.edges(len(m.steps) - 1)
	return -0.5, float64(len(m.columns)) - 0.5, low, high
}

// box returns the rectangle of some columns and steps, both ends included, on a canvas.
func (m *tiles) box(c *draw.Canvas, p *plot.Plot, r block) vg.Rectangle {
	toX, toY := p.Transforms(c)
	low, _ := m.edges(r.low)
	_, high := m.edges(r.high)
	return vg.Rectangle{
		Min: vg.Point{X: toX(float64(r.left) - 0.5), Y: toY(low)}, Max: vg.Point{X: toX(float64(r.right) + 0.5), Y: toY(high)},
	}
}

// block is a rectangle of tiles: columns left to right, steps low to high.
type block struct{ left, right, low, high int }

// Plot implements plot.Plotter.
func (m *tiles) Plot(c draw.Canvas, p *plot.Plot) {
	name := func(column, step int) string { // "" beyond the edges
		if column < 0 || column == len(m.columns) || step < 0 || step == len(m.steps) {
			return ""
		}
		return m.at[column][step].fullName()
	}
	for column, tiles := range m.at {
		for low, high := 0, 0; low < len(tiles); low = high { // like tiles at once: no seams
			for high = low + 1; high < len(tiles) && tiles[high].fullName() == tiles[low].fullName(); {
				high++
			}
			m.shade(c, tiles[low], m.box(&c, p, block{column, column, low, high - 1}))
		}
	}
	line := func(width float64, of color.Color, a, b vg.Point) {
		c.StrokeLines(draw.LineStyle{Color: of, Width: vg.Points(width)}, []vg.Point{a, b})
	}
	var borders [][2]vg.Point
	for column, tiles := range m.at {
		for step := range tiles {
			box, own := m.box(&c, p, block{column, column, step, step}), name(column, step)
			right, top := vg.Point{X: box.Max.X, Y: box.Min.Y}, vg.Point{X: box.Min.X, Y: box.Max.Y}
			if other := name(column+1, step); other == own { // between categories nothing is
				line(1.2, color.White, right, box.Max)
			} else if other != "" {
				borders = append(borders, [2]vg.Point{right, box.Max})
			}
			if other := name(column, step+1); other != own && other != "" {
				borders = append(borders, [2]vg.Point{top, box.Max})
			}
		}
	}
	for _, b := range borders {
		line(1, color.Gray{60}, b[0], b[1])
	}
	for _, area := range m.areas() {
		m.nameArea(c, p, area)
	}
}

// shade fills a tile: a winner's has its colour, and one where several are level has stripes in the colours of these.
func (m *tiles) shade(c draw.Canvas, t tile, box vg.Rectangle) {
	best := t.best()
	if len(best) == 0 {
		c.SetColor(color.Gray{236})
		c.Fill(box.Path())
		return
	}
	const stripe = 6 // points: stripe i lies between the lines x + y = i stripe and the next
	first, last := 0, 0
	if len(best) > 1 {
		first = int(math.Floor(float64(box.Min.X+box.Min.Y) / stripe))
		last = int(math.Ceil(float64(box.Max.X+box.Max.Y) / stripe))
	}
	c.SetColor(fill(m.styles[best[0]]))
	c.Fill(box.Path())
	for i := first; i < last; i++ {
		if of := best[(i%len(best)+len(best))%len(best)]; of != best[0] {
			c.SetColor(fill(m.styles[of]))
			c.Fill(band(box, vg.Length(i*stripe), vg.Length((i+1)*stripe)))
		}
	}
}

// band returns the part of a box that lies between the lines x + y = low and x + y = high.
func band(box vg.Rectangle, low, high vg.Length) (path vg.Path) {
	var corners []vg.Point
	upper := func(sum vg.Length) vg.Point { // where the line enters the box, above or on the left, and lower where it leaves
		y := min(box.Max.Y, sum-box.Min.X)
		return vg.Point{X: sum - y, Y: y}
	}
	lower := func(sum vg.Length) vg.Point {
		y := max(box.Min.Y, sum-box.Max.X)
		return vg.Point{X: sum - y, Y: y}
	}
	low, high = max(low, box.Min.X+box.Min.Y), min(high, box.Max.X+box.Max.Y)
	corners = append(corners, upper(low))
	if corner := box.Min.X + box.Max.Y; low < corner && corner < high {
		corners = append(corners, vg.Point{X: box.Min.X, Y: box.Max.Y})
	}
	corners = append(corners, upper(high), lower(high))
	if corner := box.Max.X + box.Min.Y; low < corner && corner < high {
		corners = append(corners, vg.Point{X: box.Max.X, Y: box.Min.Y})
	}
	corners = append(corners, lower(low))
	for i, p := range corners {
		if i == 0 {
			path.Move(p)
		} else {
			path.Line(p)
		}
	}
	path.Close()
	return path
}

// areas returns the connected areas of tiles with one name, each as a set of places.
func (m *tiles) areas() (list []map[[2]int]bool) {
	seen := map[[2]int]bool{}
	for column := range m.at {
		for step := range m.at[column] {
			if seen[[2]int{column, step}] {
				continue
			}
			area, open := map[[2]int]bool{}, [][2]int{{column, step}}
			for len(open) > 0 {
				at := open[len(open)-1]
				open = open[:len(open)-1]
				if at[0] < 0 || at[0] == len(m.at) || at[1] < 0 || at[1] == len(m.steps) || area[at] ||
					m.at[at[0]][at[1]].fullName() != m.at[column][step].fullName() {
					continue
				}
				area[at], seen[at] = true, true
				open = append(open, [2]int{at[0] - 1, at[1]}, [2]int{at[0] + 1, at[1]}, [2]int{at[0], at[1] - 1}, [2]int{at[0], at[1] + 1})
			}
			list = append(list, area)
		}
	}
	return list
}

// blocks lists the rectangles within an area that cannot be made higher.
func (m *tiles) blocks(area map[[2]int]bool) (list []block) {
	for left := range m.columns {
		for right := left; right < len(m.columns); right++ {
			low := -1
			for step := 0; step <= len(m.steps); step++ {
				inside := true
				for column := left; column <= right; column++ {
					inside = inside && area[[2]int{column, step}]
				}
				if inside && low < 0 {
					low = step
				}
				if !inside && low >= 0 {
					list, low = append(list, block{left, right, low, step - 1}), -1
				}
			}
		}
	}
	return list
}

// nameArea writes an area's name where it has the most room, along the area if it is high and narrow. If it has no room,
// the legend, the tooltips and the table name the area: on a phone, which shows the map at six tenths of its size, smaller
// letters than these cannot be read. A striped area is named on white.
func (m *tiles) nameArea(c draw.Canvas, p *plot.Plot, area map[[2]int]bool) {
	var boxes []vg.Rectangle
	for _, b := range m.blocks(area) {
		boxes = append(boxes, m.box(&c, p, b))
	}
	slices.SortStableFunc(boxes, func(a, b vg.Rectangle) int { // the largest first
		size := func(r vg.Rectangle) vg.Length { return r.Size().X * r.Size().Y }
		return int(math.Copysign(1, float64(size(b)-size(a))))
	})
	var of tile
	for at := range area {
		of = m.at[at[0]][at[1]]
	}
	const margin = 4
	for _, size := range []vg.Length{10, 9, 8} {
		for _, turned := range []bool{false, true} {
			for _, box := range boxes {
				style := labelStyle()
				style.Font.Size, style.XAlign = size, text.XCenter
				room := box.Size()
				if turned {
					room.X, room.Y = room.Y, room.X
					style.Rotation = math.Pi / 2
				}
				flat := style
				flat.Rotation = 0
				lines := folded(flat, of.brief(), room.X-margin)
				wide, high := flat.Width(lines), flat.Height(lines)
				if wide > room.X-margin || high > room.Y-1 || turned && strings.Contains(lines, "\n") {
					continue
				}
				at := vg.Point{X: (box.Min.X + box.Max.X) / 2, Y: (box.Min.Y + box.Max.Y) / 2}
				if len(of.level) > 0 {
					half := vg.Point{X: wide/2 + 1, Y: high / 2}
					if turned {
						half = vg.Point{X: half.Y, Y: half.X}
					}
					c.SetColor(color.White)
					c.Fill(vg.Rectangle{Min: at.Sub(half), Max: at.Add(half)}.Path())
				}
				c.FillText(style, at, lines)
				return
			}
		}
	}
}

// targets writes a target for the pointer over each tile, with its tooltip.
func (m *tiles) targets(b *strings.Builder, p *plot.Plot, area draw.Canvas, height vg.Length) {
	b.WriteString("<g>")
	for column, tiles := range m.at {
		for step, t := range tiles {
			box := m.box(&area, p, block{column, column, step, step})
			fmt.Fprintf(b, `<rect class="point" tabindex="-1" role="img" x="%.5g" y="%.5g" width="%.5g" height="%.5g"><title>%s</title></rect>`,
				box.Min.X.Points(), (height - box.Max.Y).Points(), box.Size().X.Points(), box.Size().Y.Points(), html.EscapeString(t.said))
		}
	}
	b.WriteString("</g>\n")
}
