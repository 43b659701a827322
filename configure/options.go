package configure

import (
	"bytes"
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"queens/ask"
	"queens/backends"
	"queens/configure/pool"
	"queens/encode"
	"queens/encode/cnf"
	"queens/explain"
)

// Options are what can be decided about any problem, in groups, and a back-end that knows what
// follows. They may be used by any number of goroutines.
type Options struct {
	Title   string   // names the problem
	Groups  []Group  // each option once
	Picture *Picture // shows them on a board; nil if nothing does
	problem encode.Problem
	answers pool.Lent
	vars    []cnf.Var // of the groups, in order
}

// NewOptions returns the options of a pool's own problem.
func NewOptions(from *pool.Pool) *Options {
	p := from.Problem()
	o := &Options{Title: p.String(), problem: p, answers: from.Lent(pool.Key{})}
	o.group()
	o.Picture = picture(p.Family, p.VarNames(o.vars))
	return o
}

// Count returns the number of configurations left, for which it waits for the diagram; nil if they
// cannot be counted in time.
func (c *Choices) Count(ctx context.Context) (*big.Int, error) {
	if err := c.answers.Wait(ctx); err != nil {
		return nil, err
	}
	return c.count(ctx, c.decided)
}

// count returns the number of solutions; nil if the back-end cannot count them in time.
func (o *Options) count(ctx context.Context, assume []cnf.Lit) (count *big.Int, err error) {
	err = o.answers.Do(ctx, func(by *pool.Lease) error {
		if by.Entry.Counting == "" {
			return nil
		}
		brief, cancel := context.WithTimeout(ctx, countWithin)
		defer cancel()
		answer, err := by.Ask(brief, ask.Question{Assume: assume, Want: ask.Count})
		if err != nil && brief.Err() != nil && ctx.Err() == nil {
			return nil
		}
		count = answer.Count
		return err
	})
	return count, err
}

// Choices is a session about a problem's options. A decision is a literal: the name of a variable,
// or -name for not.
type Choices struct {
	Session
	*Options
}

// Open begins a session with some decisions and without a history. It does not matter whether a
// configuration is left.
func (o *Options) Open(decided []string) (*Choices, error) {
	c := &Choices{Session{by: o.answers}, o}
	for _, word := range decided {
		l, err := o.literal(word)
		if err != nil {
			return nil, err
		}
		if slices.Contains(c.decided, l) || slices.Contains(c.decided, l.Not()) {
			return nil, &Refusal{Action: deciding(word), Why: "it is decided already"}
		}
		c.decided = append(c.decided, l)
	}
	return c, nil
}

// Group is a set of variables to show together.
type Group struct {
	Name  string   `json:"name"`
	Rule  string   `json:"rule"` // what holds of them, in words
	One   bool     `json:"one"`  // at most one of them is true; otherwise each is a switch
	Names []string `json:"names"`
}

// Size returns the number of options.
func (o *Options) Size() int { return len(o.vars) }

// largest is the number of switches that are shown together at most.
const largest = 40

// group divides the variables: exactly-one constraints, then alternatives that depend on another
// variable, then the other variables by the first part of their names, those alone with it together.
func (o *Options) group() {
	p := o.problem
	grouped := make([]bool, p.AllVars()+1)
	for v := p.NumVars() + 1; v <= p.AllVars(); v++ {
		grouped[v] = true // auxiliary
	}
	var always []int8 // what holds whatever is chosen
	if propagator := encode.NewPropagator(p); propagator.Assume(nil) {
		always = propagator.Values()
	}
	add := func(name, rule string, one bool, vars []cnf.Var) {
		for _, v := range vars {
			grouped[v] = true
		}
		o.Groups = append(o.Groups, Group{name, fmt.Sprintf(rule, len(vars)), one, p.VarNames(vars)})
		o.vars = append(o.vars, vars...)
	}
	for _, negative := range []int{0, 1} {
		for _, c := range p.Constraints {
			var vars []cnf.Var
			name, rule := c.Name, "exactly one of %d"
			for _, l := range c.Lits {
				if l.Positive() {
					vars = append(vars, l.Var())
				} else if name = p.VarName(l.Var()); always == nil || always[l.Var()-1] <= 0 { // what the alternatives depend on
					rule = "at most one of %d"
				}
			}
			if c.Bound != encode.ExactlyOne || len(c.Lits)-len(vars) != negative || len(vars) == 0 ||
				slices.ContainsFunc(vars, func(v cnf.Var) bool { return grouped[v] }) {
				continue
			}
			first := head(p.VarName(vars[0]))
			if negative == 0 && p.Family == "cnf" && len(first) > 1 && !slices.ContainsFunc(vars, func(v cnf.Var) bool {
				return head(p.VarName(v)) != first
			}) {
				name = first // says more than the lines of a file
			}
			add(name, rule, true, vars)
		}
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
	var alone []cnf.Var
	for _, name := range heads {
		switch vars := switches[name]; {
		case len(vars) == 1:
			alone = append(alone, vars...)
		case len(vars) <= largest:
			add(name, "%d options", false, vars)
		default:
			for part := range slices.Chunk(vars, largest) {
				add(p.VarName(part[0])+" to "+p.VarName(part[len(part)-1]), "%d options", false, part)
			}
		}
	}
	if len(alone) > 0 {
		add(others, "%d options", false, alone)
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
	// Left is the number of configurations left in decimal; empty if the back-end cannot count them in
	// time.
	Left string `json:"left,omitempty"`
}

// countWithin bounds counting by back-ends that do not count at once, since a person is waiting.
const countWithin = 300 * time.Millisecond

// Look says what follows from the decisions.
func (c *Choices) Look(ctx context.Context) (*Outlook, error) {
	found, err := c.follows(ctx)
	if err != nil {
		return nil, fmt.Errorf("finding what is left of %s: %w", c.problem, err)
	}
	states := bytes.Repeat([]byte("x"), c.problem.NumVars()+1) // by variable
	for _, v := range found.Possible {
		states[v] = '?'
	}
	for _, v := range found.Forced {
		states[v] = '!'
	}
	for _, l := range c.decided {
		states[l.Var()] = '-'
		if l.Positive() {
			states[l.Var()] = '+'
		}
	}
	shown := make([]byte, len(c.vars))
	for i, v := range c.vars {
		shown[i] = states[v]
	}
	look := &Outlook{Satisfiable: found.Satisfiable, States: string(shown)}
	count, err := c.count(ctx, c.decided)
	if err != nil {
		return nil, fmt.Errorf("counting what is left of %s: %w", c.problem, err)
	}
	if count != nil {
		look.Left = count.String()
	}
	return look, nil
}

// Decided returns the decisions, in the order in which they were made.
func (c *Choices) Decided() []string {
	words := make([]string, len(c.decided))
	for i, l := range c.decided {
		words[i] = c.word(l)
	}
	return words
}

// deciding names the decision of a literal: "choose motor", "exclude motor".
func deciding(word string) string {
	if name, not := strings.CutPrefix(word, "-"); not {
		return "exclude " + name
	}
	return "choose " + word
}

// Decide makes a literal true. The opposite decision gives way, and so does another option chosen in
// the same exactly-one group. A literal that the other decisions rule out is refused.
func (c *Choices) Decide(ctx context.Context, word string) error {
	l, err := c.literal(word)
	if err != nil {
		return err
	}
	if slices.Contains(c.decided, l) {
		return &Refusal{Action: deciding(word), Why: "it is decided already"}
	}
	after := without(c.decided, l.Not())
	for _, other := range c.decided {
		if l.Positive() && other.Positive() && c.rivals(l, other) {
			after = without(after, other)
		}
	}
	answer, err := c.by.Solve(ctx, with(after, l))
	if err != nil {
		return fmt.Errorf("deciding %s of %s: %w", word, c.problem, err)
	}
	if answer.Status == backends.Sat {
		c.do(with(after, l))
		return nil
	}
	blame, err := c.Why(ctx, word)
	if err != nil {
		return err
	}
	return &Refusal{Action: deciding(word), Why: "ruled out by " + blame.String()}
}

// rivals reports whether two options are in the same exactly-one group.
func (c *Choices) rivals(l, m cnf.Lit) bool {
	return slices.ContainsFunc(c.Groups, func(g Group) bool {
		return g.One && slices.Contains(g.Names, c.word(l)) && slices.Contains(g.Names, c.word(m))
	})
}

// Drop takes back what was decided about an option.
func (c *Choices) Drop(name string) error {
	l, err := c.literal(strings.TrimPrefix(name, "-"))
	if err != nil {
		return err
	}
	for _, made := range []cnf.Lit{l, l.Not()} {
		if slices.Contains(c.decided, made) {
			c.do(without(c.decided, made))
			return nil
		}
	}
	return &Refusal{Action: "take back " + name, Why: "it is not decided"}
}

// Blame says why a literal cannot be true.
type Blame struct {
	// Decisions rule it out, and none of them can be spared; there are none if the problem itself
	// does.
	Decisions []string `json:"decisions"`
	// Steps lead from them to that, each a sentence; none if that takes a search.
	Steps []string `json:"steps"`
}

// String names what rules the literal out: "frame-cargo, not motor".
func (b *Blame) String() string {
	if len(b.Decisions) == 0 {
		return "the problem itself"
	}
	words := slices.Clone(b.Decisions)
	for i, d := range words {
		if name, not := strings.CutPrefix(d, "-"); not {
			words[i] = "not " + name
		}
	}
	return strings.Join(words, ", ")
}

// Why says which decisions rule a literal out. It is refused if the literal is possible.
func (c *Choices) Why(ctx context.Context, word string) (*Blame, error) {
	l, err := c.literal(word)
	if err != nil {
		return nil, err
	}
	own := func(encode.Problem) (backends.Backend, error) { return c.by, nil } // asked about the problem itself alone
	r, err := explain.Literal(ctx, c.problem, own, explain.LiteralQuestion{
		Assumed: c.decided, Literal: l, Smallest: fewestWithin,
	})
	if err != nil {
		return nil, err
	}
	if r.Witness != nil {
		return nil, &Refusal{Action: "explain " + word, Why: "it is possible"}
	}
	blame := &Blame{Decisions: []string{}, Steps: []string{}}
	for _, made := range c.decided {
		if slices.Contains(r.Blame, made) {
			blame.Decisions = append(blame.Decisions, c.word(made))
		}
	}
	for _, s := range r.Steps {
		blame.Steps = append(blame.Steps, s.Sentence(c.problem)+".")
	}
	return blame, nil
}

// literal reads the name of a variable, with - for not.
func (o *Options) literal(word string) (cnf.Lit, error) {
	name, not := strings.CutPrefix(word, "-")
	v, err := o.problem.Names.Var(name)
	switch {
	case err != nil:
		return 0, &Refusal{Action: deciding(word), Why: err.Error()}
	case not:
		return v.Neg(), nil
	}
	return v.Pos(), nil
}

// word is the inverse of literal.
func (o *Options) word(l cnf.Lit) string {
	if l.Positive() {
		return o.problem.VarName(l.Var())
	}
	return "-" + o.problem.VarName(l.Var())
}
