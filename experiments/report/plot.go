package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"queens/experiments/config"
	"queens/experiments/record"
	"queens/experiments/stats"
	"queens/internal/param"
)

// plotted draws the plot that the spec asks for, and makes the tables that come with it. It makes several
// figures if one cannot tell all series apart, and none if the records hold nothing to draw.
func (d *data) plotted(asked config.Plot) (fs []*figure, ts []table, err error) {
	var left others
	chosen, err := d.where(asked.Where)
	if err == nil {
		left = d.others(chosen, asked.Series, asked.Where)
		err = left.unshown(chosen, asked)
	}
	if err == nil {
		fs, ts, err = chosen.drawn(asked)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("plot %q: %w", asked.Title, err)
	}
	for _, f := range fs {
		f.conditioned(asked.Where)
		f.Notes = append(f.Notes, left.note()...)
	}
	for i := range ts {
		ts[i].conditioned(asked.Where)
		ts[i].Notes = append(ts[i].Notes, left.note()...)
	}
	return fs, ts, nil
}

// drawn is plotted, once the records are chosen.
func (d *data) drawn(asked config.Plot) (fs []*figure, ts []table, err error) {
	names := d.seriesNames(asked.Series)
	if asked.Base != "" && !slices.Contains(names, asked.Base) {
		return nil, nil, fmt.Errorf("base %q: expected one of the series %s%s", asked.Base,
			strings.Join(names, ", "), param.DidYouMean(asked.Base, names))
	}
	asked.Base = cmp.Or(asked.Base, names[0])
	draw := drawers()[asked.Kind]
	if draw == nil {
		return nil, nil, fmt.Errorf("kind %q: no function draws it: add one to drawers", asked.Kind)
	}
	return draw(d, asked)
}

// drawer draws a plot and makes the tables that come with it.
type drawer func(*data, config.Plot) ([]*figure, []table, error)

// drawers lists the functions that draw the kinds of plot.
func drawers() map[config.PlotKind]drawer {
	return map[config.PlotKind]drawer{
		config.Lines:     (*data).lines,
		config.Cactus:    (*data).cactus,
		config.Profile:   (*data).profile,
		config.BreakEven: (*data).breakEven,
		config.Ratio:     (*data).ratios,
		config.Winner:    (*data).winners,
		config.Scatter:   (*data).scatter,
	}
}

func (d *data) lines(asked config.Plot) ([]*figure, []table, error) {
	if err := d.oneName(asked); err != nil {
		return nil, nil, err
	}
	if len(d.numeric([]string{asked.X})) == 0 {
		return nil, nil, fmt.Errorf("x: no record has a number in %q", asked.X)
	}
	var lines []line
	seen := medianRuns{}
	var unwell []string
	for _, s := range d.group(d.set.Rows, asked.Series) {
		l := newLine(d.legend(s.records[0], asked.Series))
		var lost, reach []string
		for _, p := range d.classes(s.records, asked.X) {
			x, err := strconv.ParseFloat(d.class(p.records[0], asked.X), 64)
			taken := d.take(p.records, asked.Y)
			taken.Mean = asked.Mean
			at := fmt.Sprintf(" of %d at %s = %s", len(p.records), asked.X, d.class(p.records[0], asked.X))
			if text := outcomeText(taken.lost); text != "" {
				lost = append(lost, text+at)
			}
			if text := outcomeText(taken.reach); text != "" {
				reach = append(reach, text+at)
			}
			sum := taken.Summary()
			switch {
			case err == nil && sum == nil && len(taken.lost) > 0:
				l.missing(x)
				continue
			case err != nil || sum == nil:
				l.cut()
				continue
			}
			seen.add(d, taken, p.records)
			if taken.Limited(sum) {
				l.beyond(x, sum.Center, len(taken.Raw))
				continue
			}
			l.add(x, taken.Extent(sum), len(taken.Raw))
		}
		if lost != nil {
			marked := ""
			if l.none != nil {
				marked = "; a cross on the upper edge where none did"
			}
			unwell = append(unwell, noteOf(l.name, "runs that did not end well and are not in the line"+marked+": "+strings.Join(lost, "; ")+"."))
		}
		if reach != nil {
			unwell = append(unwell, noteOf(l.name, "timed-out runs, plotted at what was left of the limit; "+
				"a hollow triangle where most were: "+strings.Join(reach, "; ")+"."))
		}
		lines = append(lines, l)
	}
	if !slices.Contains(d.parameters, asked.X) {
		unwell = append(unwell, fmt.Sprintf("Each mark stands for the runs whose %s is from there up to twice that.", config.Label(asked.X)))
	}
	fs, err := drawing{asked: asked, x: axisLabel(asked.X), y: axisLabel(asked.Y), ticks: d.ownTicks(asked.X), marks: true,
		notes: append(seen.caveats(d), unwell...)}.figures(lines)
	return fs, nil, err
}

// cactusSteps limits the steps of a cactus line. A longer line is drawn by every second run, or fewer: the
// picture has no room for more.
const cactusSteps = 5000

// cactus draws how many runs of each series finish within a time. The horizontal axis spans all
// runs, including those that a limit ended.
func (d *data) cactus(asked config.Plot) ([]*figure, []table, error) {
	var lines []line
	var notes []string
	total := 0
	for _, s := range d.group(d.set.Rows, asked.Series) {
		l := newLine(d.legend(s.records[0], asked.Series))
		ended := slices.DeleteFunc(slices.Clone(s.records), func(r record.Row) bool { return r.Outcome() != record.OK })
		ys := slices.Sorted(slices.Values(numbers(ended, asked.Y)))
		for i, y := range ys {
			if i%(1+len(ys)/cactusSteps) == 0 || i == len(ys)-1 {
				l.add(float64(i+1), stats.Exactly(y), 0)
			}
		}
		total = max(total, len(s.records))
		if lost := len(s.records) - len(ys); lost > 0 {
			l.stops = true
			l.name += fmt.Sprintf(", %d of %d", len(ys), len(s.records))
			notes = append(notes, noteOf(l.name, fmt.Sprintf(
				"%d of %d runs did not finish; the line ends in a cross before them.", lost, len(s.records))))
		}
		lines = append(lines, l)
	}
	notes = append(notes, "Each line orders its runs by time: further right means more runs within the time.")
	fs, err := drawing{asked: asked, x: "runs finished, of all", y: axisLabel(asked.Y), notes: notes}.figures(lines)
	for _, f := range fs {
		f.plot.X.Min, f.plot.X.Max = 0, float64(max(total, 1))
		f.plot.X.Tick.Marker = integerTicks(f.plot.X.Tick.Marker)
	}
	return fs, nil, err
}

// profile draws a list-valued measure by position, at the largest x, one line per series.
func (d *data) profile(asked config.Plot) ([]*figure, []table, error) {
	records, notes := d.set.Rows, []string(nil)
	if x := asked.X; x != "" {
		points := d.group(records, []string{x})
		largest := points[len(points)-1]
		records, notes = largest.records, []string{fmt.Sprintf("%s = %s.", x, largest.value(x))}
	}
	var lines []line
	for _, s := range d.group(records, asked.Series) {
		l := newLine(d.legend(s.records[0], asked.Series))
		values, err := firstList(s.records, asked.Y)
		if err != nil {
			return nil, nil, err
		}
		for i, v := range values {
			if !asked.LogY || v > 0 {
				l.add(float64(i), stats.Exactly(v), 0)
			}
		}
		lines = append(lines, l)
	}
	label := axisLabel(asked.Y)
	asked.X = ""
	fs, err := drawing{asked: asked, x: "position in " + config.Label(asked.Y), y: label, notes: notes, peaks: true}.figures(lines)
	return fs, nil, err
}
