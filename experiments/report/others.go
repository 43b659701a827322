package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"queens/experiments/config"
	"queens/experiments/record"
)

// A table or a plot with conditions shows some of the ways of its record set. others finds the rest that answered the
// same questions: they are named below it, and it is refused if one of them would change who wins.

// answerers are the parameters that say who answers, and how; the others say what is asked.
var answerers = []string{"engine", "backend", "method", "order", "construction", "diagram", "sift", "amo", "solver", "formula",
	"counter", "backbone", "compiler", "workers"}

// others are the ways of a record set that a table or a plot with conditions leaves out.
type others struct {
	names []string // for readers
	all   *data    // the records that are shown, and theirs
	added []string // the parameters that tell the ways apart, beyond the series
}

// others returns the ways that answered questions of the shown records, but are not shown. A way is told by the series'
// parameters and those of the conditions.
func (d *data) others(shown *data, series []string, where config.Conditions) (o others) {
	if len(where) == 0 || !shown.competing(intersect(series, answerers)) {
		return o
	}
	by := intersect(answerers, slices.Concat(series, slices.Collect(maps.Keys(where))))
	o.added = slices.DeleteFunc(by, func(c string) bool { return slices.Contains(series, c) })
	asked := slices.DeleteFunc(slices.Clone(d.varied), func(c string) bool { return slices.Contains(answerers, c) })
	asked = append(asked, repeatColumn)
	ways := slices.Concat(series, o.added)
	questions, known := map[string]bool{}, map[string]bool{}
	for _, r := range shown.set.Rows {
		questions[seriesOf(r, asked)], known[seriesOf(r, ways)] = true, true
	}
	set := d.set
	set.Rows = slices.Clone(shown.set.Rows)
	for _, r := range d.set.Rows {
		if name := seriesOf(r, ways); questions[seriesOf(r, asked)] && !known[name] {
			set.Rows = append(set.Rows, r)
		}
	}
	if len(set.Rows) == len(shown.set.Rows) {
		return o
	}
	o.all = newData(set)
	o.all.short = d.shortened()
	seen := map[string]bool{}
	for _, p := range o.all.group(set.Rows[len(shown.set.Rows):], ways) {
		name := o.named(p.records[0], series)
		if !seen[name] {
			seen[name], o.names = true, append(o.names, name)
		}
	}
	return o
}

// named names a way as readers know it, with what the series do not tell.
func (o others) named(r record.Row, series []string) string {
	name, words := o.all.labelled(seriesOf(r, series)), []string(nil)
	effective, _ := o.all.effective(r, o.added)
	for _, c := range effective {
		words = append(words, c+" "+r.Cell(c))
	}
	if len(words) > 0 {
		name += " (" + strings.Join(words, ", ") + ")"
	}
	return name
}

// note names the ways below what leaves them out.
func (o others) note() []string {
	if len(o.names) == 0 {
		return nil
	}
	return []string{"Not shown, though they answered the same questions: " + abridged(o.names) + "."}
}

// unshown returns an error if a way that a plot leaves out belongs into it: one that wins or is level on a map, or one that
// is stronger than the methods of the same way that are shown.
func (o others) unshown(shown *data, asked config.Plot) error {
	if len(o.names) == 0 {
		return nil
	}
	if asked.Kind == config.Winner {
		return o.wins(asked)
	}
	return o.stronger(shown, asked)
}

// wins returns an error if a way that is left out wins, or is level, anywhere on a map of winners.
func (o others) wins(asked config.Plot) error {
	whole := asked
	whole.Series = slices.Concat(asked.Series, o.added)
	left := map[string]bool{}
	for _, name := range o.names {
		left[name] = true
	}
	for _, p := range o.all.classes(o.all.set.Rows, asked.X) {
		ways, _, _ := o.all.waysAt(p, whole)
		names := map[string]string{}
		for _, s := range o.all.group(p.records, whole.Series) {
			names[o.all.labelled(seriesOf(s.records[0], whole.Series))] = o.named(s.records[0], asked.Series)
		}
		ask := askingOf(asked)
		for _, k := range steps125(ask.most) {
			for _, name := range bestWay(ways, k, o.all.set.Spec.Seed).best() {
				if left[names[name]] {
					return fmt.Errorf("it leaves out %s, which may be the best at %s = %s for %s %s: "+
						"a map of winners shows all that answered the same questions, so widen where",
						names[name], asked.X, o.all.class(p.records[0], asked.X), number("", k), ask.name)
				}
			}
		}
	}
	return nil
}

// stronger returns an error if a method that is left out takes significantly less than each shown method of its way, at
// most of the points at which both have a value.
func (o others) stronger(shown *data, asked config.Plot) error {
	if asked.Y == "" || asked.X == "" || unit(asked.Y) != "s" {
		return nil
	}
	same := map[string][]string{} // way -> its shown series
	for _, name := range shown.seriesNames(asked.Series) {
		way, _ := wayOf(o.all.labelled(name))
		same[way] = append(same[way], name)
	}
	if len(same) < 2 { // a picture of one way compares its methods
		return nil
	}
	known := shown.seriesNames(asked.Series)
	points := o.all.classes(o.all.set.Rows, asked.X)
	for _, name := range o.all.seriesNames(asked.Series) {
		way, _ := wayOf(o.all.labelled(name))
		if slices.Contains(known, name) || way == "" || len(same[way]) == 0 {
			continue
		}
		less, both := 0, 0
		for _, p := range points {
			series := p.bySeries(asked.Series)
			mine := o.all.take(series[name], asked.Y)
			var theirs []sample
			for _, other := range same[way] {
				if s := o.all.take(series[other], asked.Y); len(s.Raw) > 0 {
					theirs = append(theirs, s)
				}
			}
			if len(mine.Raw) == 0 || len(theirs) == 0 {
				continue
			}
			both++
			if !slices.ContainsFunc(theirs, func(s sample) bool {
				r := mine.Against(s.Sample)
				return !r.Known() || !r.Differs || r.Center >= 1
			}) {
				less++
			}
		}
		if 2*less > both {
			return fmt.Errorf("it shows %s without %s, which takes less at %d of %d values of %s: show it, too",
				way, o.all.labelled(name), less, both, asked.X)
		}
	}
	return nil
}
