package configure

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"queens/configure/pool"
	"queens/encode"
	"queens/encode/cnf"
)

// Options holds what can be decided about any problem, in groups, and a back-end that knows what follows.
// It is safe for concurrent use.
type Options struct {
	Title   string   // names the problem
	Groups  []Group  // each option once
	Picture *Picture // nil if the problem has none
	problem encode.Problem
	answers pool.Lent
	vars    []cnf.Var // of all groups, in order
}

// Group is a set of variables to show together.
type Group struct {
	Name string `json:"name"`
	Rule string `json:"rule"` // what holds of them, in words
	One  bool   `json:"one"`  // at most one of them is true; otherwise each is a switch
	// Bare says that they have no names, where other variables have one.
	Bare  bool     `json:"bare,omitempty"`
	Names []string `json:"names"`
}

// NewOptions returns the options of a pool's own problem.
func NewOptions(from *pool.Pool) *Options {
	p := from.Problem()
	o := &Options{Title: p.String(), problem: p, answers: from.Lent()}
	o.group()
	o.Picture = picture(p.Family, p.VarNames(o.vars))
	return o
}

// Size returns the number of options.
func (o *Options) Size() int { return len(o.vars) }

// largest is the maximum number of switches that are shown together.
const largest = 40

// group divides the variables into groups: those of the problem's file, exactly-one constraints, then alternatives that
// depend on another variable, then constraints that count beyond one, then the remaining variables by the first part of their
// names. Variables that share their first part with no other form one group, and so do those without a name where others have
// one. The groups come in the order of their first variables, but these two are last.
func (o *Options) group() {
	p := o.problem
	type group struct {
		Group
		vars []cnf.Var
	}
	var groups []group
	grouped := make([]bool, p.AllVars()+1)
	for v := p.NumVars() + 1; v <= p.AllVars(); v++ {
		grouped[v] = true // auxiliary
	}
	var bare []cnf.Var
	if p.Named() {
		for v := cnf.Var(1); int(v) <= p.NumVars(); v++ {
			if p.Numeral(v) {
				grouped[v], bare = true, append(bare, v)
			}
		}
	}
	var always []int8 // values that hold in every configuration
	if propagator := encode.NewPropagator(p); propagator.Assume(nil) {
		always = propagator.Values()
	}
	put := func(name, rule string, one bool, vars []cnf.Var) {
		for _, v := range vars {
			grouped[v] = true
		}
		groups = append(groups, group{Group{Name: name, Rule: rule, One: one, Names: p.VarNames(vars)}, vars})
	}
	add := func(name, rule string, one bool, vars []cnf.Var) { put(name, fmt.Sprintf(rule, len(vars)), one, vars) }
	each := func(name, noun string, vars []cnf.Var) { put(name, encode.Plural(len(vars), noun), false, vars) }
	for _, g := range p.Groups {
		part := largest
		if g.One || len(g.Vars) <= largest {
			part = len(g.Vars)
		}
		for vars := range slices.Chunk(g.Vars, part) {
			name, rule := g.Name, g.Rule
			if len(vars) < len(g.Vars) {
				name = fmt.Sprintf("%s: %s to %s", name, p.VarName(vars[0]), p.VarName(vars[len(vars)-1]))
				rule = fmt.Sprintf("%s, %d of them here", rule, len(vars))
			}
			put(name, rule, g.One, vars)
		}
	}
	taken := func(v cnf.Var) bool { return grouped[v] }
	for _, negative := range []int{0, 1} {
		for _, c := range p.Constraints {
			var vars []cnf.Var
			name, rule := c.Name, "exactly one of %d"
			for _, l := range c.Lits {
				if l.Positive() {
					vars = append(vars, l.Var())
				} else if name = p.VarName(l.Var()); always == nil || always[l.Var()-1] <= 0 { // which they depend on
					rule = "at most one of %d"
				}
			}
			if !c.IsExactlyOne() || len(c.Lits) < 2 || len(c.Lits)-len(vars) != negative || len(vars) == 0 ||
				slices.ContainsFunc(vars, taken) {
				continue
			}
			first := head(p.VarName(vars[0]))
			if negative == 0 && p.Family == "cnf" && len(first) > 1 && !slices.ContainsFunc(vars, func(v cnf.Var) bool {
				return head(p.VarName(v)) != first
			}) {
				name = first // more informative than the lines of a file
			}
			add(name, rule, true, vars)
		}
	}
	for _, c := range o.counts() {
		if vars := variables(c); !slices.ContainsFunc(vars, taken) {
			add(c.Name, c.Count()+" of %d", false, vars)
		}
	}
	switches := map[string][]cnf.Var{}
	var heads []string
	for v := cnf.Var(1); int(v) <= p.NumVars(); v++ {
		if grouped[v] {
			continue
		}
		name := head(p.VarName(v))
		if switches[name] == nil {
			heads = append(heads, name)
		}
		switches[name] = append(switches[name], v)
	}
	var alone []cnf.Var
	for _, name := range heads {
		switch vars := switches[name]; {
		case len(vars) == 1:
			alone = append(alone, vars...)
		case len(vars) <= largest:
			each(name, "option", vars)
		default:
			for part := range slices.Chunk(vars, largest) {
				each(p.VarName(part[0])+" to "+p.VarName(part[len(part)-1]), "option", part)
			}
		}
	}
	slices.SortStableFunc(groups, func(a, b group) int { return cmp.Compare(slices.Min(a.vars), slices.Min(b.vars)) })
	if len(alone) > 0 {
		each("other options", "option", alone)
	}
	if len(bare) > 0 {
		each("without a name", "variable", bare)
		groups[len(groups)-1].Bare = true
	}
	for _, g := range groups {
		o.Groups, o.vars = append(o.Groups, g.Group), append(o.vars, g.vars...)
	}
}

// counts returns what the problem says of sets of variables that it counts beyond one, each set once.
func (o *Options) counts() (counts []encode.Constraint) {
	beyond := func(c encode.Constraint) bool {
		return c.Weights == nil && c.Least <= c.Most && c.Most > 1 && (c.Limits() || c.Least > 1)
	}
	if !slices.ContainsFunc(o.problem.Constraints, beyond) {
		return nil
	}
	at := map[string]int{}
	for i, c := range o.problem.Constraints {
		vars := variables(c)
		if c.Weights != nil || len(vars) < 2 || len(vars) > largest && !o.problem.IsBoard() {
			continue
		}
		if c.Name = o.problem.ConstraintName(i); c.Lits[0] < 0 {
			c.Least, c.Most = max(0, len(vars)-c.Most), len(vars)-c.Least
		}
		key := fmt.Sprint(vars)
		if k, has := at[key]; has {
			counts[k].Least, counts[k].Most = max(counts[k].Least, c.Least), min(counts[k].Most, c.Most)
			continue
		}
		at[key] = len(counts)
		counts = append(counts, c)
	}
	return slices.DeleteFunc(counts, func(c encode.Constraint) bool { return !beyond(c) })
}

// variables returns the variables of a constraint whose literals have one sign, in rising order; nil for others.
func variables(c encode.Constraint) (vars []cnf.Var) {
	for _, l := range c.Lits {
		if l.Positive() != c.Lits[0].Positive() {
			return nil
		}
		vars = append(vars, l.Var())
	}
	slices.Sort(vars)
	return vars
}

// head returns the first part of a name, without the numbers at its end.
func head(name string) string {
	if i := strings.IndexAny(name, "._-/: "); i > 0 {
		name = name[:i]
	}
	return strings.TrimRight(name, "0123456789")
}
