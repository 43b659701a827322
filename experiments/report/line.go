package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/plotter"

	"queens/experiments/stats"
)

// line is one series of points in increasing x. It is drawn in pieces: a point beyond a limit has a mark of
// its own, and breaks the line.
type line struct {
	name   string // in its label
	key    string // lines with the same key have the same style in all plots of a report
	points linePoints
	above  linePoints // lower bounds: hollow triangles
	none   []float64  // x of runs that ended without a value: crosses on the upper edge
	broken bool       // whether the next point begins a piece
	stops  bool       // whether the series continues beyond its last point: a cross marks that
}

// linePoint is a value with its interval.
type linePoint struct {
	x float64
	stats.Estimate
	runs   int // number of runs behind it; 0 if that says nothing
	begins bool
}

type linePoints []linePoint

var _ interface {
	plotter.XYer
	plotter.YErrorer
} = linePoints{}

// Len, XY and YError implement plotter.XYer and plotter.YErrorer.
func (ps linePoints) Len() int { return len(ps) }

func (ps linePoints) XY(i int) (x, y float64) { return ps[i].x, ps[i].Center }

func (ps linePoints) YError(i int) (low, high float64) {
	return ps[i].Center - ps[i].Lo, ps[i].Hi - ps[i].Center
}

func newLine(name string) line { return line{name: name, key: name} }

func (l *line) add(x float64, y *stats.Estimate, runs int) {
	l.points = append(l.points, linePoint{x, *y, runs, l.broken || len(l.points) == 0})
	l.broken = false
}

// beyond adds a point for a value that is only known to exceed y.
func (l *line) beyond(x, y float64, runs int) {
	l.above = append(l.above, linePoint{x: x, Estimate: *stats.Exactly(y), runs: runs})
	l.cut()
}

// missing notes that the runs at x ended without a value.
func (l *line) missing(x float64) {
	l.none = append(l.none, x)
	l.cut()
}

func (l *line) cut() { l.broken = true }

// barred reports whether the line has bars, or marks for points beyond a limit.
func (l line) barred() bool {
	return len(l.above) > 0 || slices.ContainsFunc(l.points, func(p linePoint) bool { return p.Lo < p.Hi })
}

// coincides reports whether two lines look the same in a picture.
func (l line) coincides(m line) bool {
	near := func(a, b float64) bool { return math.Abs(a-b) <= 0.002*math.Max(math.Abs(a), math.Abs(b)) }
	return len(l.points) > 0 && len(l.above)+len(m.above)+len(l.none)+len(m.none) == 0 &&
		slices.EqualFunc(l.points, m.points, func(a, b linePoint) bool {
			return a.x == b.x && a.begins == b.begins && near(a.Center, b.Center)
		})
}

// merged joins lines that coincide into one, whose name lists them all.
func merged(lines []line) (list []line, notes []string) {
	var names [][]string // of each line in the list
	for _, l := range lines {
		i := slices.IndexFunc(list, l.coincides)
		if i < 0 {
			list, names = append(list, l), append(names, []string{l.name})
			continue
		}
		names[i] = append(names[i], l.name)
	}
	for i, same := range names {
		switch all := strings.Join(same, " = "); {
		case len(same) == 1:
		case len(all) <= 25:
			list[i].name = all
		default:
			list[i].name += fmt.Sprintf(" = %d more", len(same)-1)
			notes = append(notes, "One line, since they coincide: "+strings.Join(same, ", ")+".")
		}
	}
	return list, notes
}
