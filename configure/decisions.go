package configure

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"queens/ask"
	"queens/backends"
	"queens/configure/explain"
	"queens/configure/pool"
	"queens/encode"
	"queens/encode/cnf"
)

// Decisions is a session about a problem's options. A decision is a literal: the name of a variable,
// or -name for not.
type Decisions struct {
	Session
	*Options
}

// Open begins a session with some decisions and without a history. The decisions may leave no
// configuration.
func (o *Options) Open(decided []string) (*Decisions, error) {
	c := &Decisions{Session{by: o.answers}, o}
	for _, word := range decided {
		l, err := o.literal(word)
		switch {
		case err != nil:
			return nil, err
		case slices.Contains(c.decided, l):
			return nil, &Refusal{Action: deciding(word), Why: "it is decided already"}
		case slices.Contains(c.decided, l.Not()):
			return nil, &Refusal{Action: deciding(word), Why: "that contradicts the decision to " + deciding(o.problem.Word(l.Not()))}
		}
		c.decided = append(c.decided, l)
	}
	return c, nil
}

// Outlook is what follows from some decisions.
type Outlook struct {
	Satisfiable bool `json:"satisfiable"`
	// Decided holds the decisions, by the names of their options, with - for not.
	Decided []string `json:"decided"`
	// States has one character per option, group by group: + and - decided, ! true and x false
	// in every configuration left, ? open.
	States string `json:"states"`
	// Left is the number of configurations left in decimal; empty if the back-end cannot count them in time,
	// or answers only until the problem is compiled.
	Left string `json:"left,omitempty"`
}

// countWithin bounds counting by back-ends that do not count at once, for interactive use.
const countWithin = 300 * time.Millisecond

// States returns the states of an [Outlook].
func (c *Decisions) States(ctx context.Context) (string, error) {
	found, err := c.follows(ctx)
	if err != nil {
		return "", fmt.Errorf("finding what is left of %s: %w", c.problem, err)
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
	return string(shown), nil
}

// Look returns what follows from the decisions.
func (c *Decisions) Look(ctx context.Context) (*Outlook, error) {
	states, err := c.States(ctx)
	if err != nil {
		return nil, err
	}
	look := &Outlook{Satisfiable: c.found.Satisfiable, Decided: c.Decided(), States: states}
	count, err := c.count(ctx, c.decided, true)
	if err != nil {
		return nil, fmt.Errorf("counting what is left of %s: %w", c.problem, err)
	}
	if count != nil {
		look.Left = count.String()
	}
	return look, nil
}

// Count waits until the problem is compiled, and returns the number of configurations left; nil if they
// cannot be counted in time.
func (c *Decisions) Count(ctx context.Context) (*big.Int, error) {
	if err := c.answers.Wait(ctx); err != nil {
		return nil, err
	}
	return c.count(ctx, c.decided, false)
}

// count returns the number of solutions; nil if the back-end cannot count them in time. For a click, a back-end that
// answers until the problem is compiled does not count: the next click would wait for it.
func (o *Options) count(ctx context.Context, assume []cnf.Lit, click bool) (count *big.Int, err error) {
	err = o.answers.Do(ctx, func(by *pool.Lease) error {
		if by.Descriptor.Counting == "" || click && o.answers.StandsIn(by) {
			return nil
		}
		brief, cancel := context.WithTimeout(ctx, countWithin)
		defer cancel()
		answer, err := by.Ask(brief, ask.Question{Assume: assume, Want: ask.Count})
		if errors.Is(err, context.DeadlineExceeded) { // which brief may not know yet
			return nil
		}
		count = answer.Count
		return err
	})
	return count, err
}

// Decided returns the decisions, in the order in which they were made.
func (c *Decisions) Decided() []string {
	words := make([]string, len(c.decided))
	for i, l := range c.decided {
		words[i] = c.problem.Word(l)
	}
	return words
}

// deciding describes the decision of a literal: "choose motor", "exclude motor".
func deciding(word string) string {
	if name, not := strings.CutPrefix(word, "-"); not {
		return "exclude " + name
	}
	return "choose " + word
}

// Decide makes a literal true. It drops the opposite decision, and the choice of another option in the
// same exactly-one group. It refuses a literal that the other decisions rule out.
func (c *Decisions) Decide(ctx context.Context, word string) error {
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
func (c *Decisions) rivals(l, m cnf.Lit) bool {
	return slices.ContainsFunc(c.Groups, func(g Group) bool {
		return g.One && slices.Contains(g.Names, c.problem.Word(l)) && slices.Contains(g.Names, c.problem.Word(m))
	})
}

// Drop takes back the decision about an option.
func (c *Decisions) Drop(name string) error {
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

// Blame says why a literal cannot be true, or why there is no solution.
type Blame struct {
	// Decisions rule it out, and none of them can be spared; there are none if the problem itself
	// does.
	Decisions []string `json:"decisions"`
	// Steps show why, each in a sentence; there are none if only a search shows it.
	Steps []string `json:"steps"`
	// Constraints are few that have no solution together, if the problem alone has none.
	Constraints []string `json:"constraints,omitempty"`
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

// Why says which decisions rule a literal out. It returns a refusal if the literal is possible.
func (c *Decisions) Why(ctx context.Context, word string) (*Blame, error) {
	l, err := c.literal(word)
	if err != nil {
		return nil, err
	}
	e, err := explain.New(c.problem, c.by).Explain(ctx, explain.Question{Given: c.decided, Literal: l, Smallest: fewestWithin})
	if err == nil {
		e, err = c.fewest(ctx, e)
	}
	if err != nil {
		return nil, err
	}
	if e.Witness != nil {
		return nil, &Refusal{Action: "explain " + word, Why: "it is possible"}
	}
	return c.blame(e, e.Blame), nil
}

// fewest explains the same without decisions that can be spared, which the shortest steps may use.
func (c *Decisions) fewest(ctx context.Context, e explain.Explanation) (explain.Explanation, error) {
	if e.Fewer == nil {
		return e, nil
	}
	return explain.New(c.problem, c.by).Explain(ctx, explain.Question{Given: e.Fewer, Literal: e.Literal, Smallest: fewestWithin})
}

// blame returns the decisions that are to blame, and the explanation's steps.
func (c *Decisions) blame(e explain.Explanation, decisions []cnf.Lit) *Blame {
	blame := &Blame{Decisions: []string{}, Steps: []string{}}
	for _, made := range c.decided {
		if slices.Contains(decisions, made) {
			blame.Decisions = append(blame.Decisions, c.problem.Word(made))
		}
	}
	for _, s := range explain.Joined(e.Steps) {
		blame.Steps = append(blame.Steps, s.Sentence(c.problem)+".")
	}
	return blame
}

// WhyNone says which decisions contradict each other or, if the problem alone has no solution, which constraints do. It returns
// a refusal if there is a solution.
func (c *Decisions) WhyNone(ctx context.Context) (*Blame, error) {
	e, err := c.contradiction(ctx)
	switch {
	case err != nil:
		return nil, err
	case e.Witness != nil:
		return nil, &Refusal{Action: "explain why there is no configuration", Why: "there is one"}
	case e.Verdict != explain.IsUnsatisfiable:
		if e, err = c.fewest(ctx, e); err != nil {
			return nil, err
		}
		return c.blame(e, append(e.Blame, e.Literal)), nil
	}
	blame := c.blame(e, nil)
	blame.Constraints, err = c.contradictory(ctx)
	return blame, err
}

// contradictory returns few constraints that have no solution together, in words.
func (c *Decisions) contradictory(ctx context.Context) (words []string, err error) {
	few, _, _, err := explain.Constraints(ctx, c.problem, explain.Explanation{}, fewestWithin,
		func(p encode.Problem) (backends.Backend, error) {
			return ask.Start(ctx, p, ask.Choice{}, ask.Solve, ask.Resources{})
		})
	for _, of := range few {
		words = append(words, explain.Words(c.problem, of))
	}
	return words, err
}

// Contradiction says which decision the ones before it rule out, or which constraints have no solution together, in a sentence; "" if
// there is a solution.
func (c *Decisions) Contradiction(ctx context.Context) (string, error) {
	found, err := c.follows(ctx)
	if err != nil || found.Satisfiable {
		return "", err
	}
	e, err := c.contradiction(ctx)
	if err != nil {
		return "", err
	}
	if e.Verdict == explain.IsUnsatisfiable {
		few, err := c.contradictory(ctx)
		return e.Sentence(c.problem) + ": " + strings.Join(few, "; "), err
	}
	return "the decisions contradict each other: " + e.Sentence(c.problem), nil
}

func (c *Decisions) contradiction(ctx context.Context) (explain.Explanation, error) {
	return explain.New(c.problem, c.by).Contradiction(ctx, c.decided, fewestWithin)
}

// literal parses a decision, as [encode.Problem.Literal] does.
func (o *Options) literal(word string) (cnf.Lit, error) {
	l, err := o.problem.Literal(word)
	if err != nil {
		return 0, &Refusal{Action: deciding(word), Why: err.Error(), Misnamed: true}
	}
	return l, nil
}

// Option returns the index among all of an option to be explained, and its name, given in any form that a decision takes.
func (o *Options) Option(word string) (at int, name string, err error) {
	l, err := o.problem.Literal(word)
	if err != nil {
		return 0, "", &Refusal{Action: "explain " + word, Why: err.Error(), Misnamed: true}
	}
	return slices.Index(o.vars, l.Var()), o.problem.VarName(l.Var()), nil
}
