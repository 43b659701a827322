package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"queens/experiments"
	"queens/internal/param"
)

// badReport reports the tables and plots that no records of the runs could fill: a number for different names, such as
// orders, together; a key, a base or a horizontal axis that is not there. So they are found before the first run.
func (s Spec) badReport(kind *experiments.TaskKind, runs []experiments.Run) (mistakes Mistakes) {
	points, parameters := pointsOf(runs), kind.Columns().In(experiments.Parameter)
	var path []string // of the table or plot
	wrong := func(key, format string, args ...any) {
		mistakes = append(mistakes, Mistake{path: below(path, key), Text: fmt.Sprintf(format, args...)})
	}
	together := func(points []Cells, key string, shown []string, where string) {
		for _, name := range parameters {
			if !slices.Contains(shown, name) && joined(points, name, shown) {
				wrong(key, "one number would stand for different values of %s: add %s to %s, or choose one with where", name, name, where)
			}
		}
	}
	for i, t := range s.Report.Tables {
		path = []string{"report", "tables", strconv.Itoa(i)}
		together(t.Where.among(points, parameters), "rows", slices.Concat(t.Rows, t.Columns), "the rows or columns")
	}
	for i, p := range s.Report.Plots {
		path = []string{"report", "plots", strconv.Itoa(i)}
		if lacks := p.lacks(); len(lacks) > 0 {
			wrong("kind", "%s: a plot of this kind needs %s, too", p.Kind, strings.Join(lacks, " and "))
			continue
		}
		chosen := p.Where.among(points, parameters)
		if p.Kind == Lines || p.Kind == Ratio {
			together(chosen, "series", append(slices.Clone(p.Series), p.X), "the series")
		}
		var names []string
		for _, c := range chosen {
			names = append(names, c.Series(p.Series))
		}
		if names = slices.Compact(slices.Sorted(slices.Values(names))); p.Base != "" && names != nil && !slices.Contains(names, p.Base) {
			wrong("base", "%q: expected one of the series %s%s", p.Base, strings.Join(names, ", "), param.DidYouMean(p.Base, names))
		}
		sized := slices.Contains([]PlotKind{Lines, Ratio, Winner}, p.Kind)
		if sized && slices.Contains(parameters, p.X) && chosen != nil && !AreSizes(values(chosen, p.X)) {
			wrong("x", "%s has no numbers here: expected a parameter or a measure that has", p.X)
		}
	}
	return mistakes
}

// Cells looks up a record's cell by its column.
type Cells func(column string) string

// Series returns the name of the series of a record: its cells in the columns.
func (cell Cells) Series(columns []string) string {
	words := make([]string, len(columns))
	for i, c := range columns {
		switch words[i] = cell(c); words[i] {
		case "true":
			words[i] = Label(c)
		case "false":
			words[i] = "no " + Label(c)
		}
	}
	return strings.Join(words, " ")
}

// AreSizes reports whether a parameter with these values is a size, not a name.
func AreSizes(values []string) bool {
	return slices.ContainsFunc(values, func(v string) bool { _, err := strconv.ParseInt(v, 10, 64); return err == nil })
}

// pointsOf returns the parameters of the runs, once for each point.
func pointsOf(runs []experiments.Run) (points []Cells) {
	seen := map[experiments.Task]bool{}
	for _, r := range runs {
		if seen[r.Task] {
			continue
		}
		seen[r.Task] = true
		parameters := r.Task.Parameters()
		for name, value := range parameters {
			parameters[name] = param.Shown(value)
		}
		points = append(points, func(column string) string { return parameters[column] })
	}
	return points
}

// among returns the points that meet the conditions.
func (c Conditions) among(points []Cells, parameters []string) []Cells {
	judge := c.Judge(parameters)
	return slices.DeleteFunc(slices.Clone(points), func(p Cells) bool {
		meets, err := judge(p)
		return err == nil && !meets
	})
}

// joined reports whether points with equal values in the columns shown have different names: values of a parameter
// that is neither a size nor a seed. Seeds repeat a run, and a report may pool sizes.
func joined(points []Cells, parameter string, shown []string) bool {
	if experiments.IsSeed(parameter) || AreSizes(values(points, parameter)) {
		return false
	}
	first := map[string]string{}
	for _, p := range points {
		var key strings.Builder
		for _, c := range shown {
			key.WriteString(p(c) + "\x00")
		}
		if name, seen := first[key.String()]; seen && Unseeded(name) != Unseeded(p(parameter)) {
			return true
		}
		first[key.String()] = p(parameter)
	}
	return false
}

func values(points []Cells, parameter string) (list []string) {
	for _, p := range points {
		list = append(list, p(parameter))
	}
	return list
}

var seeded = lazily(`:[0-9]+$`)

// Unseeded returns a name without a colon and number at its end, as in random:1, which is a seed.
func Unseeded(name string) string { return seeded().ReplaceAllString(name, "") }
