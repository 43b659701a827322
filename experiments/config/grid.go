package config

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/invopop/jsonschema"

	"queens/experiments"
	"queens/internal/param"
	"queens/internal/system/program"
)

// maxGrid bounds a grid: a larger one is a mistake, not an experiment.
const maxGrid = 1_000_000

// maxTried bounds how often exclusions are tried, which takes seconds.
const maxTried = 10 * maxGrid

// Grid lists the spec's runs in the random order of the spec's seed: one run per repeat for
// every point of the product of the axes that exists and is not excluded. kind is that of the spec's task.
func (s Spec) Grid(kind *experiments.TaskKind) ([]experiments.Run, error) {
	runs, _, err := s.grid(kind)
	return runs, err
}

// grid returns the runs. Its notes name listed values that make no run of their own, and exclusions without
// effect.
func (s Spec) grid(kind *experiments.TaskKind) (runs []experiments.Run, notes []string, err error) {
	g := newGrid(s, kind)
	switch g.points = g.count(0, map[string]string{}); {
	case g.tried > maxTried:
		g.mistake([]string{"exclude"}, "more than %d points are tried: narrow the axes", maxTried)
	case !g.full():
		g.points = 0
		g.expand(0, map[string]string{})
	}
	if max(g.points, len(g.runs)) > maxGrid {
		g.mistake([]string{"axes"}, "the grid has more than %d points or runs", maxGrid)
	}
	if len(g.mistakes) == 0 {
		g.checkUse()
	}
	if len(g.mistakes) > 0 {
		return nil, nil, g.mistakes
	}
	return shuffled(g.runs, s.Seed), g.notes(), nil
}

func newGrid(s Spec, kind *experiments.TaskKind) *grid {
	g := &grid{
		spec: s, kind: kind, columns: kind.Columns().Of(experiments.Parameter), shapes: parametersOf(kind), defaults: kind.Default().Parameters(),
		excluding: map[int][]int{}, reached: map[string]bool{}, met: map[setting]bool{}, why: map[setting]string{}, seen: map[string]bool{},
		apart: map[setting]bool{}, matched: map[int]bool{}, seeds: map[string][]string{},
		programs: s.Programs(),
	}
	g.axes = slices.DeleteFunc(slices.Clone(g.columns), func(c experiments.Column) bool { return len(s.Axes[c.Name]) == 0 })
	for i, e := range s.Exclude {
		g.judges = append(g.judges, e.Judge(g.columns.Names()))
		last := 0
		for _, name := range e.names(g.columns.Names()) {
			last = slices.Index(g.columns.Names(), name)
		}
		g.excluding[last] = append(g.excluding[last], i)
	}
	for i, c := range g.columns {
		if len(s.Axes[c.Name]) > 0 || len(g.excluding[i]) > 0 {
			g.last = i
		}
	}
	return g
}

type grid struct {
	spec     Spec
	kind     *experiments.TaskKind
	columns  experiments.Columns // all parameters
	axes     experiments.Columns // the parameters that the spec gives
	shapes   *jsonschema.Schema  // schema of the parameters
	defaults map[string]string
	// excluding lists, for each parameter, the exclusions whose last parameter it is. So most of a
	// large product is left out before later parameters are set.
	excluding map[int][]int
	judges    []func(parameter func(name string) string) (bool, error) // of the exclusions
	reached   map[string]bool                                          // axes with a value that was tried
	met       map[setting]bool                                         // each setting that was tried -> whether some point has it
	why       map[setting]string                                       // why a point with it does not exist
	seen      map[string]bool                                          // ids of runs
	// apart maps a setting to whether the value matters: a run has it, or a point with it made a new run, or
	// an exclusion left it out.
	apart    map[setting]bool
	matched  map[int]bool        // exclusions that leave something out
	seeds    map[string][]string // values of the seeds that led to a task's parameters, if the grid is balanced
	programs program.Descriptions
	last     int // the last parameter with an axis or an exclusion
	tried    int // how often count has tried an exclusion
	points   int
	runs     []experiments.Run
	mistakes Mistakes
}

// setting is a value of an axis.
type setting struct{ axis, value string }

func (g *grid) mistake(path []string, format string, args ...any) {
	m := Mistake{path: path, Text: fmt.Sprintf(format, args...)}
	if !slices.ContainsFunc(g.mistakes, func(old Mistake) bool { return old.String() == m.String() }) {
		g.mistakes = append(g.mistakes, m)
	}
}

// full reports whether to stop expanding the grid.
func (g *grid) full() bool {
	return max(g.points, len(g.runs)) > maxGrid || len(g.mistakes) > 20
}

// count returns the number of points with the parameters so far, from the i-th parameter on, or a number above
// maxGrid. It makes no point: a million take a minute and 350 MiB. Mistakes count as no point, and are left to
// expand.
func (g *grid) count(i int, params map[string]string) (points int) {
	if i > 0 {
		for _, e := range g.excluding[i-1] {
			g.tried++
			if out, err := g.judges[e](func(axis string) string { return params[axis] }); out || err != nil {
				return 0
			}
		}
	}
	if i > g.last {
		return 1
	}
	c := g.columns[i]
	axis, given := g.spec.Axes[c.Name]
	if !given {
		axis = Axis{g.defaults[c.Name]}
	}
	defer delete(params, c.Name)
	add := func(value string) (more bool) {
		params[c.Name] = value
		points += g.count(i+1, params)
		return points <= maxGrid && g.tried <= maxTried
	}
	for _, value := range axis {
		text := param.Text(value)
		if !given || c.Type != experiments.TypeInteger {
			if !add(text) {
				return points
			}
			continue
		}
		list, err := integers(text, func(axis string) string { return params[axis] })
		if err == nil && i == g.last && len(g.excluding[i]) == 0 {
			points += len(list)
			continue
		}
		for _, v := range list {
			if err == nil && !add(strconv.FormatInt(v, 10)) {
				return points
			}
		}
	}
	return points
}

// expand sets the parameters from the i-th on to every combination of values.
func (g *grid) expand(i int, params map[string]string) {
	if g.full() || i > 0 && g.excluded(i-1, params) {
		return
	}
	if i == len(g.columns) {
		g.points++
		if err := g.point(params); err != nil {
			g.without(params, err)
		}
		return
	}
	name := g.columns[i].Name
	axis, given := g.spec.Axes[name]
	if !given {
		axis = Axis{g.defaults[name]}
	}
	for at, value := range axis {
		text := param.Text(value)
		values := []string{text}
		if given && g.columns[i].Type == experiments.TypeInteger {
			var err error
			if values, err = g.integers(name, text, params); err != nil {
				g.mistake(g.spec.Axes.path(name, at), "%v", err)
			}
		}
		for _, v := range values {
			if g.full() {
				return
			}
			params[name] = v
			if tried := (setting{name, v}); given && !g.met[tried] {
				g.reached[name], g.met[tried] = true, false
			}
			g.expand(i+1, params)
		}
	}
	delete(params, name)
}

// integers lists the values that an axis's text stands for, and checks them.
func (g *grid) integers(name, text string, params map[string]string) (list []string, err error) {
	values, err := integers(text, func(axis string) string { return params[axis] })
	shape, _ := g.shapes.Properties.Get(name)
	for _, v := range values {
		if err == nil && !fits(v, shape) {
			err = fmt.Errorf(`"%d": expected %s`, v, anInteger(shape))
		}
		list = append(list, strconv.FormatInt(v, 10))
	}
	if err != nil {
		return nil, err
	}
	return list, nil
}

// excluded reports whether an exclusion leaves out all points with the parameters so far. It tests only the
// exclusions whose last parameter is the given one.
func (g *grid) excluded(parameter int, params map[string]string) bool {
	for _, i := range g.excluding[parameter] {
		out, err := g.judges[i](func(axis string) string { return params[axis] })
		if err != nil {
			g.mistake([]string{"exclude", strconv.Itoa(i)}, "%v", err)
		}
		if out {
			g.use(params)
			g.matched[i] = true
			for name, v := range params {
				if at := (setting{name, v}); !g.apart[at] {
					g.apart[at] = true // left out on purpose
				}
			}
		}
		if out || err != nil {
			return true
		}
	}
	return false
}

// point adds the runs of one point.
func (g *grid) point(params map[string]string) error {
	task, err := g.kind.Task(params, g.programs)
	if err != nil {
		return err
	}
	if err := task.Normalise(); err != nil {
		return err
	}
	g.use(params)
	parameters, err := task.JSON()
	if err != nil {
		return err
	}
	fresh, first := false, 0
	if g.spec.Balanced {
		first = g.spec.Repeats * g.round(string(parameters), params)
	}
	for repeat := first; repeat < first+g.spec.Repeats; repeat++ {
		id := experiments.RunID(g.kind.Name, parameters, repeat)
		if !g.seen[id] {
			g.seen[id], fresh = true, true
			g.runs = append(g.runs, experiments.Run{ID: id, Task: task, Repeat: repeat})
		}
	}
	var has map[string]string
	for _, c := range g.axes {
		v := params[c.Name]
		if g.apart[setting{c.Name, v}] {
			continue
		}
		if has == nil {
			has = task.Parameters()
		}
		if fresh || has[c.Name] == v {
			g.apart[setting{c.Name, v}] = true
		}
	}
	return nil
}

// round returns how many values of the seeds have led to the same parameters of a task before these.
func (g *grid) round(parameters string, params map[string]string) int {
	var seeds []string
	for _, c := range g.axes {
		if experiments.IsSeed(c.Name) {
			seeds = append(seeds, params[c.Name])
		}
	}
	known, these := g.seeds[parameters], strings.Join(seeds, " ")
	if at := slices.Index(known, these); at >= 0 {
		return at
	}
	g.seeds[parameters] = append(known, these)
	return len(known)
}

// notes names the values of axes that make no run of their own because other parameters leave them
// without effect, and the exclusions that leave nothing out.
func (g *grid) notes() (notes []string) {
	for _, c := range g.axes {
		var idle []string
		for tried := range g.met {
			if tried.axis == c.Name && g.met[tried] && !g.apart[tried] {
				idle = append(idle, tried.value)
			}
		}
		if len(idle) > 0 {
			slices.SortFunc(idle, param.CompareValues)
			if len(idle) > 8 {
				idle = slices.Concat(idle[:3], []string{"..."}, idle[len(idle)-1:])
			}
			notes = append(notes, fmt.Sprintf("axes.%s: %s without runs of their own: with the other axes they change nothing",
				c.Name, strings.Join(idle, ", ")))
		}
	}
	for i := range g.spec.Exclude {
		if !g.matched[i] {
			notes = append(notes, fmt.Sprintf("exclude[%d] leaves nothing out", i))
		}
	}
	return notes
}

// without handles a point that does not exist. That is a mistake, unless its parameters do not suit each
// other: then it records why.
func (g *grid) without(params map[string]string, err error) {
	var wrong *param.Error
	var unsuited *param.Unsuited
	switch {
	case errors.As(err, &unsuited):
		for name, v := range params {
			g.why[setting{name, v}] = unsuited.Why
		}
	case errors.As(err, &wrong):
		at := slices.IndexFunc(g.spec.Axes[wrong.Field], func(v any) bool { return param.Text(v) == params[wrong.Field] })
		g.mistake(g.spec.Axes.path(wrong.Field, at), "%s", wrong.Text)
	default:
		g.mistake([]string{"axes"}, "%v", err)
	}
}

func (g *grid) use(params map[string]string) {
	for _, c := range g.axes {
		if v, set := params[c.Name]; set && !g.met[setting{c.Name, v}] {
			g.met[setting{c.Name, v}] = true
		}
	}
}

// checkUse reports values that no point of the grid has: a mistake that would otherwise show
// only as a missing row.
func (g *grid) checkUse() {
	for _, name := range g.columns.Names() {
		if _, given := g.spec.Axes[name]; given && !g.reached[name] {
			if len(g.matched) > 0 { // before this axis
				break
			}
			g.mistake([]string{"axes", name}, "the ranges are empty")
			return // further axes were never reached
		}
	}
	for _, name := range g.columns.Names() {
		var unused []string
		why := ""
		for _, v := range g.spec.Axes[name] {
			text := param.Text(v)
			if met, tried := g.met[setting{name, text}]; tried && !met {
				unused = append(unused, text)
				why = cmp.Or(why, g.why[setting{name, text}])
			}
		}
		if len(unused) > 0 {
			if why != "" {
				why = ": " + why
			}
			g.mistake([]string{"axes", name}, "%s: not valid with any value of the other axes%s", strings.Join(unused, ", "), why)
			if why != "" && len(g.runs) == 0 {
				return // the same reason holds for every other axis
			}
		}
	}
	if len(g.runs) == 0 && len(g.mistakes) == 0 {
		g.mistake([]string{"exclude"}, "it leaves no run: every point is excluded")
	}
}

// shuffled returns the runs in a random order that depends only on the seed. Repeats form rounds, each a
// permutation of the points, so that competitors interleave and a drift of the machine affects all of them.
func shuffled(runs []experiments.Run, seed uint64) []experiments.Run {
	out := slices.Clone(runs)
	slices.SortFunc(out, func(a, b experiments.Run) int { return cmp.Or(a.Repeat-b.Repeat, strings.Compare(a.ID, b.ID)) })
	random := rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))
	for start := 0; start < len(out); {
		end := start
		for end < len(out) && out[end].Repeat == out[start].Repeat {
			end++
		}
		round := out[start:end]
		random.Shuffle(len(round), func(i, j int) { round[i], round[j] = round[j], round[i] })
		start = end
	}
	for i := range out {
		out[i].Position = i + 1
	}
	return out
}
