package report

import (
	"math"
	"slices"

	"gonum.org/v1/plot/plotter"
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
	estimate
	runs   int // number of runs behind it; 0 if that says nothing
	begins bool
}

type linePoints []linePoint

var _ interface {
	plotter.XYer
	plotter.YErrorer
} = linePoints{}

// Len, XY and YError implement plotter.XYer and plotter.YErrorer.
func (ps linePoints) Len() int                { return len(ps) }
func (ps linePoints) XY(i int) (x, y float64) { return ps[i].x, ps[i].center }
func (ps linePoints) YError(i int) (low, high float64) {
	return ps[i].center - ps[i].lo, ps[i].hi - ps[i].center
}

func newLine(name string) line { return line{name: name, key: name} }

func (l *line) add(x float64, y *estimate, runs int) {
	l.points = append(l.points, linePoint{x, *y, runs, l.broken || len(l.points) == 0})
	l.broken = false
}

// beyond adds a point for a value that is only known to exceed y.
func (l *line) beyond(x, y float64, runs int) {
	l.above = append(l.above, linePoint{x: x, estimate: *exactly(y), runs: runs})
	l.cut()
}

// missing notes that the runs at x ended without a value.
func (l *line) missing(x float64) {
	l.none = append(l.none, x)
	l.cut()
}

func (l *line) cut() { l.broken = true }

// coincides reports whether two lines look the same in a picture.
func (l line) coincides(m line) bool {
	near := func(a, b float64) bool { return math.Abs(a-b) <= 0.002*math.Max(math.Abs(a), math.Abs(b)) }
	return len(l.points) > 0 && len(l.above)+len(m.above)+len(l.none)+len(m.none) == 0 &&
		slices.EqualFunc(l.points, m.points, func(a, b linePoint) bool {
			return a.x == b.x && a.begins == b.begins && near(a.center, b.center)
		})
}
