package experiments

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// maxGrid bounds a grid: a larger one is a slip, not an experiment.
const maxGrid = 1_000_000

// Grid lists the spec's runs: for every point of the product of the axes that
// exists and is not excluded, one run a repeat, in the random order of the spec's
// seed.
func (s Spec) Grid(kinds Kinds) ([]Run, error) {
	kind, err := kinds.Named(s.Task)
	if err != nil {
		return nil, err
	}
	g := grid{spec: s, kind: kind, schema: paramSchemas(kind), fields: fields(kind.New()), seen: map[string]bool{}, used: map[string]map[string]bool{}}
	g.expand(0, map[string]any{}, map[string]int64{})
	if len(g.problems) == 0 {
		g.checkUse()
	}
	if len(g.problems) > 0 {
		return nil, g.problems
	}
	return shuffled(g.runs, s.Seed), nil
}

type grid struct {
	spec     Spec
	kind     Kind
	schema   map[string]scalarSchema
	fields   []field
	seen     map[string]bool
	used     map[string]map[string]bool // axis -> value -> in some point; false while in none
	runs     []Run
	problems Problems
}

func (g *grid) problem(path, format string, args ...any) {
	p := Problem{Path: path, Text: fmt.Sprintf(format, args...)}
	for _, q := range g.problems {
		if q == p {
			return
		}
	}
	g.problems = append(g.problems, p)
}

// expand fixes the parameters from field i on, in every way.
func (g *grid) expand(i int, params map[string]any, ints map[string]int64) {
	if len(g.runs) > maxGrid || len(g.problems) > 20 {
		return
	}
	if i == len(g.fields) {
		g.point(params, ints)
		return
	}
	f := g.fields[i]
	axis, given := g.spec.Axes[f.name]
	if !given {
		defaults := reflect.ValueOf(g.kind.New()).Elem()
		if v, ok := fieldByName(defaults, f.name); ok && v.CanInt() {
			ints[f.name] = v.Int()
		}
		g.expand(i+1, params, ints)
		delete(ints, f.name)
		return
	}
	path := "axes." + f.name
	for _, value := range axis {
		values := []any{value}
		if s, ok := value.(string); ok && g.schema[f.name].integer() {
			list, isRange, err := expandRange(s, ints)
			if err != nil {
				g.problem(path, "%v", err)
				continue
			}
			if isRange {
				values = values[:0]
				for _, v := range list {
					values = append(values, json.Number(fmt.Sprint(v)))
				}
			}
		}
		for _, v := range values {
			if text := g.schema[f.name].check(v); text != "" {
				g.problem(path, "%s", text)
				continue
			}
			params[f.name] = v
			if n, ok := integer(v); ok {
				ints[f.name] = n
			}
			if g.used[f.name] == nil {
				g.used[f.name] = map[string]bool{}
			}
			if name := fmt.Sprint(v); !g.used[f.name][name] {
				g.used[f.name][name] = false // until a point has it
			}
			g.expand(i+1, params, ints)
			delete(params, f.name)
			delete(ints, f.name)
		}
	}
}

// checkRange reports what is wrong with a range that needs no other axis, or
// with any of its values.
func checkRange(text string, value scalarSchema) (wrong string) {
	m := rangeRegexp.FindStringSubmatch(text)
	if m == nil || exprRegexp.MatchString(m[1]) || exprRegexp.MatchString(m[2]) {
		return ""
	}
	values, _, err := expandRange(text, nil)
	switch {
	case err != nil:
		return err.Error()
	case len(values) == 0:
		return fmt.Sprintf("%q: the range is empty", text)
	}
	for _, v := range []int64{values[0], values[len(values)-1]} {
		if wrong := value.check(v); wrong != "" {
			return fmt.Sprintf("%q: %s", text, wrong)
		}
	}
	return ""
}

// point adds the runs of one point.
func (g *grid) point(params map[string]any, ints map[string]int64) {
	task := g.kind.New()
	data, err := json.Marshal(params)
	if err == nil {
		err = json.Unmarshal(data, task)
	}
	if err != nil {
		g.problem("axes", "%v", err)
		return
	}
	all, err := flatten(task)
	if err != nil {
		g.problem("axes", "%v", err)
		return
	}
	for i, e := range g.spec.Exclude {
		out, err := e.excludes(all, ints)
		if err != nil {
			g.problem(fmt.Sprintf("exclude[%d]", i), "%v", err)
			return
		}
		if out {
			g.use(params)
			return
		}
	}
	if n, ok := task.(Normaliser); ok && !n.Normalise() {
		return
	}
	g.use(params)
	for repeat := range g.spec.Repeats {
		run, err := newRun(g.kind.Name, task, repeat)
		if err != nil {
			g.problem("axes", "%v", err)
			return
		}
		if g.seen[run.ID] {
			continue
		}
		g.seen[run.ID] = true
		if g.runs = append(g.runs, run); len(g.runs) > maxGrid {
			g.problem("axes", "the grid has more than %d runs", maxGrid)
			return
		}
	}
}

func (g *grid) use(params map[string]any) {
	for name, v := range params {
		g.used[name][fmt.Sprint(v)] = true
	}
}

// checkUse reports values that no point of the grid has, which is a slip that
// would otherwise be seen only as a missing row.
func (g *grid) checkUse() {
	for _, f := range g.fields {
		if _, axis := g.spec.Axes[f.name]; axis && g.used[f.name] == nil {
			g.problem("axes."+f.name, "the ranges hold no value")
			return // further axes were never reached
		}
	}
	for _, f := range g.fields {
		values := g.used[f.name]
		var unused []string
		for _, v := range g.spec.Axes[f.name] {
			if met, known := values[fmt.Sprint(v)]; known && !met {
				unused = append(unused, fmt.Sprint(v))
			}
		}
		if len(unused) > 0 {
			g.problem("axes."+f.name, "%s: no such run exists with any value of the other axes", strings.Join(unused, ", "))
		}
	}
	if len(g.runs) == 0 && len(g.problems) == 0 {
		g.problem("axes", "the grid is empty: every point is excluded")
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
						return false, fmt.Errorf("%s: %q compares integers, which this axis does not hold", name, s)
					}
					met = met || holds
					continue
				}
			}
			met = met || text(c) == all[name]
		}
		if !met {
			return false, nil
		}
	}
	return true, nil
}

func fieldByName(v reflect.Value, name string) (reflect.Value, bool) {
	for i := range v.NumField() {
		if tag, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ","); tag == name {
			return v.Field(i), true
		}
	}
	return reflect.Value{}, false
}
