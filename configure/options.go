package configure

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"queens/backends"
	"queens/encode"
	"queens/encode/cnf"
	"queens/explain"
)

// Options configures any problem. A person decides literals: names of variables, or -name for
// not. Nothing is kept between two questions; each holds all decisions.
type Options struct {
	problem encode.Problem
	mu      sync.Mutex // the back-end serves one question at a time
	oracle  Oracle
	counter backends.Counter // nil if the back-end cannot count
	groups  []Group
	vars    []cnf.Var // of the groups, in order
}

// NewOptions configures a problem by a back-end for it.
func NewOptions(p encode.Problem, oracle Oracle) *Options {
	o := &Options{problem: p, oracle: oracle}
	o.counter, _ = oracle.(backends.Counter)
	o.group()
	return o
}

// Title names the problem.
func (o *Options) Title() string { return o.problem.String() }

// Group is a set of variables to show together.
type Group struct {
	Name  string   `json:"name"`
	One   bool     `json:"one"` // exactly one of them is true; otherwise each is a switch
	Names []string `json:"names"`
}

// Groups returns the options, each variable once.
func (o *Options) Groups() []Group { return o.groups }

// group divides the variables: exactly-one constraints over variables that are in no earlier
// one, then the others by the first part of their names, those alone with it together.
func (o *Options) group() {
	p := o.problem
	grouped := make([]bool, p.NumVars()+1)
	for _, c := range p.Constraints {
		if c.Bound != encode.ExactlyOne || slices.ContainsFunc(c.Lits, func(l cnf.Lit) bool {
			return !l.Positive() || grouped[l.Var()]
		}) {
			continue
		}
		g := Group{Name: c.Name, One: true}
		heads := map[string]bool{}
		for _, l := range c.Lits {
			grouped[l.Var()] = true
			g.Names = append(g.Names, p.VarName(l.Var()))
			heads[head(p.VarName(l.Var()))] = true
			o.vars = append(o.vars, l.Var())
		}
		if first := head(g.Names[0]); len(heads) == 1 && p.Family == "cnf" { // says more than the lines of a file
			g.Name = first
		}
		o.groups = append(o.groups, g)
	}
	const others = "other options"
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
	for _, name := range heads {
		if len(switches[name]) == 1 {
			switches[others] = append(switches[others], switches[name][0])
			continue
		}
		o.groups = append(o.groups, Group{Name: name, Names: p.VarNames(switches[name])})
		o.vars = append(o.vars, switches[name]...)
	}
	if alone := switches[others]; alone != nil {
		o.groups = append(o.groups, Group{Name: others, Names: p.VarNames(alone)})
		o.vars = append(o.vars, alone...)
	}
}

// head returns the first part of a name, without the numbers at its end.
func head(name string) string {
	if i := strings.IndexAny(name, "._-/: "); i > 0 {
		name = name[:i]
	}
	return strings.TrimRight(name, "0123456789")
}

// Outlook is what follows from some decisions.
type Outlook struct {
	Satisfiable bool `json:"satisfiable"`
	// States has one character per option, group by group: + and - decided, ! true and x false
	// in every configuration left, ? open.
	States string `json:"states"`
	// Left is the number of configurations left in decimal; empty if the back-end cannot count.
	Left string `json:"left,omitempty"`
}

// Look says what follows from decisions.
func (o *Options) Look(ctx context.Context, decided []string) (*Outlook, error) {
	lits, err := o.literals(decided)
	if err != nil {
		return nil, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	found, err := o.oracle.Valid(ctx, lits, "")
	if err != nil {
		return nil, fmt.Errorf("finding what is left of %s: %w", o.problem, err)
	}
	states := bytes.Repeat([]byte("x"), o.problem.NumVars()+1) // by variable
	for _, v := range found.Possible {
		states[v] = '?'
	}
	for _, v := range found.Forced {
		states[v] = '!'
	}
	for _, l := range lits {
		states[l.Var()] = '-'
		if l.Positive() {
			states[l.Var()] = '+'
		}
	}
	shown := make([]byte, len(o.vars))
	for i, v := range o.vars {
		shown[i] = states[v]
	}
	look := &Outlook{Satisfiable: found.Satisfiable, States: string(shown)}
	if o.counter != nil {
		count, err := o.counter.Count(ctx, lits)
		if err != nil {
			return nil, fmt.Errorf("counting what is left of %s: %w", o.problem, err)
		}
		look.Left = count.String()
	}
	return look, nil
}

// Blame says why a literal cannot be true.
type Blame struct {
	// Decisions rule it out, and none of them can be spared; there are none if the problem itself
	// does.
	Decisions []string `json:"decisions"`
	// Steps lead from them to that, each a sentence; none if that takes a search.
	Steps []string `json:"steps"`
}

// Why says which decisions rule a literal out. It is refused if the literal is possible.
func (o *Options) Why(ctx context.Context, decided []string, literal string) (*Blame, error) {
	lits, err := o.literals(append(slices.Clone(decided), literal))
	if err != nil {
		return nil, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	own := func(encode.Problem) backends.Finder { return o.oracle } // asked about the problem itself alone
	assumed := lits[:len(decided)]
	r, err := explain.Literal(ctx, o.problem, own, explain.LiteralQuestion{
		Assumed: assumed, Literal: lits[len(decided)], Smallest: fewestWithin,
	})
	if err != nil {
		return nil, err
	}
	if r.Witness != nil {
		return nil, &Refusal{Action: "explain " + literal, Why: "it is possible"}
	}
	blame := &Blame{Decisions: []string{}, Steps: []string{}}
	for i, l := range assumed {
		if slices.Contains(r.Blame, l) {
			blame.Decisions = append(blame.Decisions, decided[i])
		}
	}
	for _, s := range r.Steps {
		blame.Steps = append(blame.Steps, s.Sentence(o.problem)+".")
	}
	return blame, nil
}

// literals reads names of variables, with - for not, each at most once.
func (o *Options) literals(words []string) ([]cnf.Lit, error) {
	var lits []cnf.Lit
	seen := map[cnf.Var]bool{}
	for _, word := range words {
		v, err := o.problem.Names.Var(strings.TrimPrefix(word, "-"))
		if err != nil {
			return nil, &Refusal{Action: "decide " + word, Why: err.Error()}
		}
		if seen[v] {
			return nil, &Refusal{Action: "decide " + word, Why: "it is decided already"}
		}
		seen[v] = true
		l := v.Pos()
		if strings.HasPrefix(word, "-") {
			l = v.Neg()
		}
		lits = append(lits, l)
	}
	return lits, nil
}
