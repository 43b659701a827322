package spec

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"queens/experiments"
)

// maxGrid bounds a grid: a larger one is a mistake, not an experiment.
const maxGrid = 1_000_000

// Grid lists the spec's runs in the random order of the spec's seed: one run per repeat for
// every point of the product of the axes that exists and is not excluded.
func (s Spec) Grid(kinds experiments.Kinds) ([]Run, error) {
	kind, err := kinds.Named(s.Task)
	if err != nil {
		return nil, err
	}
	defaults, err := kind.Defaults()
	if err != nil {
		return nil, err
	}
	g := grid{
		spec: s, kind: kind, fields: kind.Parameters(), defaults: defaults, bounds: boundsOf(kind),
		excluding: map[int][]int{}, all: maps.Clone(defaults), why: map[string]string{}, seen: map[string]bool{}, used: map[string]map[string]bool{}, programs: s.Programs(),
	}
	for i, e := range s.Exclude {
		words := wordRegexp().FindAllString(fmt.Sprint(e), -1)
		last := 0
		for at, f := range g.fields {
			if slices.Contains(words, f.Name) {
				last = at
			}
		}
		g.excluding[last] = append(g.excluding[last], i)
	}
	g.expand(0, map[string]any{}, map[string]int64{})
	if len(g.mistakes) == 0 {
		g.checkUse()
	}
	if len(g.mistakes) > 0 {
		return nil, g.mistakes
	}
	return shuffled(g.runs, s.Seed), nil
}

type grid struct {
	spec     Spec
	kind     experiments.TaskKind
	fields   []experiments.Field
	defaults map[string]string
	// excluding lists, for each field, the exclusions that no later one has a part in: most of a
	// large product is left out before the later fields are set.
	excluding map[int][]int
	all       map[string]string          // the parameters of the point so far, and defaults
	bounds    map[string]bounds          // of the integer parameters
	seen      map[string]bool            // ids of runs
	used      map[string]map[string]bool // axis -> value -> whether some point has it
	why       map[string]string          // axis=value -> why a point with it does not exist
	programs  experiments.Programs
	points    int
	runs      []Run
	mistakes  Mistakes
}

func (g *grid) mistake(path, format string, args ...any) {
	m := Mistake{Path: path, Text: fmt.Sprintf(format, args...)}
	if !slices.Contains(g.mistakes, m) {
		g.mistakes = append(g.mistakes, m)
	}
}

// full reports whether to stop expanding the grid.
func (g *grid) full() bool {
	return g.points > maxGrid || len(g.runs) > maxGrid || len(g.mistakes) > 20
}

// expand sets the parameters from field i on to every combination of values.
func (g *grid) expand(i int, params map[string]any, ints map[string]int64) {
	if g.full() || i > 0 && g.excluded(i-1, params, ints) {
		return
	}
	if i == len(g.fields) {
		g.point(params)
		return
	}
	name := g.fields[i].Name
	allowed, isInteger := g.bounds[name]
	axis, given := g.spec.Axes[name]
	if !given {
		if v, ok := integer(json.Number(g.defaults[name])); ok && isInteger {
			ints[name] = v
		}
		g.expand(i+1, params, ints)
		delete(ints, name)
		return
	}
	for _, value := range axis {
		values := []any{value}
		if s, ok := value.(string); ok && isInteger {
			list, err := expand(s, ints)
			if err != nil {
				g.mistake("axes."+name, "%v", err)
				continue
			}
			values = list
		}
		for _, v := range values {
			n, isNumber := integer(v)
			if isInteger && isNumber {
				if wrong := allowed.check(n); wrong != "" {
					g.mistake("axes."+name, "%s", wrong)
					continue
				}
				ints[name] = n
			}
			params[name], g.all[name] = v, experiments.Text(v)
			if g.used[name] == nil {
				g.used[name] = map[string]bool{}
			}
			if text := fmt.Sprint(v); !g.used[name][text] {
				g.used[name][text] = false // until a point has it
			}
			g.expand(i+1, params, ints)
			delete(params, name)
			delete(ints, name)
			g.all[name] = g.defaults[name]
			if g.full() {
				return
			}
		}
	}
}

// excluded reports whether an exclusion that can be judged once a field is set leaves out all points
// with the parameters so far.
func (g *grid) excluded(field int, params map[string]any, ints map[string]int64) bool {
	for _, i := range g.excluding[field] {
		out, err := g.spec.Exclude[i].excludes(g.all, ints)
		if err != nil {
			g.mistake(fmt.Sprintf("exclude[%d]", i), "%v", err)
		}
		if out {
			g.use(params)
		}
		if out || err != nil {
			return true
		}
	}
	return false
}

// expand lists the values of an integer axis that is written as text: a range or an expression.
func expand(text string, ints map[string]int64) ([]any, error) {
	list, isRange, err := expandRange(text, ints)
	if !isRange {
		v, valueErr := eval(text, ints)
		list, err = []int64{v}, valueErr
	}
	var values []any
	for _, v := range list {
		values = append(values, json.Number(fmt.Sprint(v)))
	}
	return values, err
}

// point adds the runs of one point.
func (g *grid) point(params map[string]any) {
	if g.points++; g.points > maxGrid {
		g.mistake("axes", "the grid has more than %d points", maxGrid)
		return
	}
	data, err := json.Marshal(params)
	if err != nil {
		g.mistake("axes", "%v", err)
		return
	}
	task, err := g.kind.Task(data, g.programs)
	if err != nil {
		g.mistake("axes", "%v", err)
		return
	}
	err = task.Normalise()
	if wrong := (*experiments.FieldError)(nil); errors.As(err, &wrong) {
		g.mistake(g.spec.Axes.path(wrong.Field, g.place(wrong.Field, params)), "%s", wrong.Text)
		return
	}
	if why := (*experiments.Unsuited)(nil); errors.As(err, &why) {
		for name, v := range params {
			g.why[name+"="+fmt.Sprint(v)] = why.Why
		}
		return
	}
	if err != nil {
		g.mistake("axes", "%v", err)
		return
	}
	g.use(params)
	for repeat := range g.spec.Repeats {
		run, err := newRun(g.kind.Name, task, repeat)
		if err != nil {
			g.mistake("axes", "%v", err)
			return
		}
		if g.seen[run.ID] {
			continue
		}
		g.seen[run.ID] = true
		if g.runs = append(g.runs, run); len(g.runs) > maxGrid {
			g.mistake("axes", "the grid has more than %d runs", maxGrid)
			return
		}
	}
}

// place returns the place of a point's value in its axis.
func (g *grid) place(name string, params map[string]any) int {
	return slices.IndexFunc(g.spec.Axes[name], func(v any) bool { return v == params[name] })
}

func (g *grid) use(params map[string]any) {
	for name, v := range params {
		g.used[name][fmt.Sprint(v)] = true
	}
}

// checkUse reports values that no point of the grid has: a mistake that would otherwise show
// only as a missing row.
func (g *grid) checkUse() {
	for _, f := range g.fields {
		if _, axis := g.spec.Axes[f.Name]; axis && g.used[f.Name] == nil {
			g.mistake("axes."+f.Name, "the ranges are empty")
			return // further axes were never reached
		}
	}
	for _, f := range g.fields {
		values := g.used[f.Name]
		var unused []string
		why := ""
		for _, v := range g.spec.Axes[f.Name] {
			if met, known := values[fmt.Sprint(v)]; known && !met {
				unused = append(unused, fmt.Sprint(v))
				why = cmp.Or(why, g.why[f.Name+"="+fmt.Sprint(v)])
			}
		}
		if len(unused) > 0 {
			if why != "" {
				why = ": " + why
			}
			g.mistake("axes."+f.Name, "%s: not valid with any value of the other axes%s", strings.Join(unused, ", "), why)
			if why != "" && len(g.runs) == 0 {
				return // the same goes for every other axis
			}
		}
	}
	if len(g.runs) == 0 && len(g.mistakes) == 0 {
		g.mistake("axes", "the grid is empty: every point is excluded")
	}
}

// excludes reports whether a point meets every condition.
func (e Exclusion) excludes(all map[string]string, ints map[string]int64) (bool, error) {
	for name, condition := range e {
		conditions, ok := condition.([]any)
		if !ok {
			conditions = []any{condition}
		}
		met := false
		for _, c := range conditions {
			if s, ok := c.(string); ok {
				value, isInt := ints[name]
				holds, comparison, err := meets(value, s, ints)
				if err != nil {
					return false, fmt.Errorf("%s: %w", name, err)
				}
				if comparison {
					if !isInt {
						return false, fmt.Errorf("%s: %q is a comparison, which needs an axis of integers", name, s)
					}
					met = met || holds
					continue
				}
				if isInt && exprRegexp().MatchString(s) {
					other, err := eval(s, ints)
					if err != nil {
						return false, fmt.Errorf("%s: %w", name, err)
					}
					met = met || value == other
					continue
				}
			}
			met = met || experiments.Text(c) == all[name] || experiments.Text(c) == experiments.Unpinned(all[name])
		}
		if !met {
			return false, nil
		}
	}
	return true, nil
}
