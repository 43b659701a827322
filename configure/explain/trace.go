package explain

import (
	"fmt"
	"slices"
	"strconv"

	"queens/encode"
	"queens/encode/cnf"
)

// StepKind is the kind of a step.
type StepKind string

const (
	Emptied StepKind = "emptied" // nothing that Constraint needs is left: the contradiction
	Forced  StepKind = "forced"  // Literal follows: it is the last that Constraint leaves open
	Case    StepKind = "case"    // Constraint leaves Literal open; the steps up to the next case refute it
)

// Step is one step of an argument.
type Step struct {
	Kind       StepKind
	Literal    cnf.Lit   // derived or tried literal; 0 for the contradiction
	Also       []cnf.Lit // further literals that are derived alike: see Joined
	Constraint int       // by index
	// Because holds the true literals that the step uses, each once: given ones, and those derived by
	// earlier steps.
	Because []cnf.Lit
	// Excluded says which of them rule out other literals of the constraint by an at-most-one.
	Excluded []Exclusion
	// Full says that the true literals are of Constraint, and as many as it allows or, for the contradiction,
	// one more. Otherwise they rule literals out that it needs.
	Full bool
	Held int // number of Constraint's literals that are given, if it needs more than one
}

// Sentence describes the step in words, without a full stop.
func (s Step) Sentence(p encode.Problem) string {
	c, rule, name := p.Constraints[s.Constraint], Words(p, s.Constraint), p.ConstraintName(s.Constraint)
	what := "a contradiction"
	switch {
	case s.Kind == Case:
		return fmt.Sprintf("suppose %s: %s", literalName(p, s.Literal), rule)
	case s.Kind == Forced:
		what = and(literalNames(p, append([]cnf.Lit{s.Literal}, s.Also...)))
	case c.Least > 1 && !s.Full && c.Least <= len(c.Lits) && c.Weights == nil:
		what = fmt.Sprintf("%s %s", name, shortage(c.Least-s.Held, s.Held > 0))
	case c.IsClause() && len(c.Lits) > many && len(s.Because) == len(c.Lits) && len(s.Excluded) == 0: // all its literals are false
		return fmt.Sprintf("%s, because none of them is left: %s", what, rule)
	}
	if len(s.Because) > 0 {
		what += ", because of " + and(literalNames(p, s.Because))
	}
	if s.Full && c.Most > 1 && len(c.Lits) > many { // Because names those that matter
		rule = fmt.Sprintf("%s of %d (%s)", c.Count(), len(c.Lits), name)
	}
	text := fmt.Sprintf("%s: %s", what, rule)
	for _, by := range s.Because {
		if excluded, constraints := s.excludedBy(by); excluded != nil {
			var names []string
			for _, c := range constraints {
				names = append(names, p.ConstraintName(c))
			}
			text += fmt.Sprintf("; %s excludes %s (%s)", literalName(p, by), and(literalNames(p, excluded)), and(names))
		}
	}
	return text
}

// many is the number of a constraint's literals up to which a step that does not concern them all lists them.
const many = 8

// Joined joins successive steps in which the same true literals leave no room in the same constraint: "not a1, not b1 and
// not c1, because of b2, d4 and c4: exactly 3 of 25 (the board)".
func Joined(steps []Step) (joined []Step) {
	for _, s := range steps {
		if last := len(joined) - 1; last >= 0 && s.Full && s.Kind == Forced && joined[last].Full && joined[last].Kind == Forced &&
			joined[last].Constraint == s.Constraint && slices.Equal(joined[last].Because, s.Because) {
			joined[last].Also = append(joined[last].Also, s.Literal)
			continue
		}
		joined = append(joined, s)
	}
	return joined
}

// excludedBy returns the literals of the constraint that a true literal excludes by other constraints, and these constraints.
func (s Step) excludedBy(by cnf.Lit) (excluded []cnf.Lit, constraints []int) {
	for _, x := range s.Excluded {
		if x.By == by && x.Constraint != s.Constraint {
			if excluded = append(excluded, x.Literal); !slices.Contains(constraints, x.Constraint) {
				constraints = append(constraints, x.Constraint)
			}
		}
	}
	return excluded, constraints
}

// shortage says that a constraint needs a number of literals, in addition to those that it holds if more is set, and has
// one fewer left.
func shortage(number int, more bool) string {
	needs, left := strconv.Itoa(number), strconv.Itoa(number-1)
	if more {
		needs += " more"
	}
	if number <= 2 {
		left = []string{"none", "one"}[number-1]
	}
	return fmt.Sprintf("needs %s and has %s left", needs, left)
}

// Exclusion is a literal and a true literal with which an at-most-one constraint does not allow it.
type Exclusion struct {
	Literal, By cnf.Lit
	Constraint  int
}

// trace holds what follows from some given literals by unit propagation, in the order of derivation.
type trace struct {
	problem encode.Problem // its fixed literals hold always
	facts   *encode.Propagator
	all     []cnf.Lit // the problem's own literals and the given ones
	located bool      // the fields below are up to date: see locate
	trail   []cnf.Lit
	fixed   int     // number of the problem's own literals, first in the trail
	given   int     // number of literals in the trail that are not derived
	at      []int32 // by literal: its place in the trail, counted from 1; 0 if it is not true
	holder  []int32 // by constraint that is at most one: the place of its first true literal
}

func newTrace(p encode.Problem) *trace {
	facts := encode.NewPropagator(p)
	return &trace{
		problem: p, facts: facts,
		at: make([]int32, 2*p.AllVars()), holder: make([]int32, len(p.Constraints)),
	}
}

// place returns a true literal's place in the trail, counted from 1; 0 for any other literal.
func (t *trace) place(l cnf.Lit) int { return int(t.at[l.Index()]) }

// follow propagates the problem's fixed literals and the given ones. It returns the violated constraints:
// nil if there is no contradiction, and an empty list if given literals are each other's negation.
func (t *trace) follow(given []cnf.Lit) (violated []int) {
	t.all, t.located = append(append(t.all[:0], t.problem.Fixed...), given...), false
	if !t.facts.Fix(t.all) {
		violated = append([]int{}, t.facts.Violated()...)
	}
	return violated
}

// locate records the places of the literals that the last follow set. Only an argument needs them, and
// most attempts find none.
func (t *trace) locate() {
	if t.located {
		return
	}
	for _, l := range t.trail {
		t.at[l.Index()] = 0
		for _, c := range t.facts.Of(l) {
			t.holder[c] = 0
		}
	}
	t.trail = t.facts.Trail()
	for i, l := range t.trail {
		t.at[l.Index()] = int32(i + 1)
		for _, c := range t.facts.Of(l) {
			if t.holder[c] == 0 && t.problem.Constraints[c].Excludes() {
				t.holder[c] = int32(i + 1)
			}
		}
	}
	t.fixed, t.given, t.located = t.last(t.problem.Fixed), t.last(t.all), true
}

// last returns the last place of a list's true literals, which is their number if they come first in the trail.
func (t *trace) last(lits []cnf.Lit) (place int) {
	for _, l := range lits {
		place = max(place, t.place(l))
	}
	return place
}

// argument collects the steps that lead to a final one.
type argument struct {
	*trace
	needed []bool // by literal: later steps use it
	before int    // the current step may use only literals of the trail before this place
}

// argument returns an empty argument from what the last follow set.
func (t *trace) argument() *argument {
	t.locate()
	return &argument{t, make([]bool, len(t.at)), len(t.trail) + 1}
}

// refutation returns the fewest steps to one of the violated constraints, among those for which accept is true.
func (t *trace) refutation(violated []int, accept func([]Step) bool) (steps []Step) {
	for _, c := range violated {
		a := t.argument()
		last := a.contradiction(c)
		if found := append(a.derive(), last); (steps == nil || len(found) < len(steps)) && accept(found) {
			steps = found
		}
	}
	return steps
}

// contradiction returns the final step, for a violated constraint.
func (a *argument) contradiction(c int) Step {
	rule := a.problem.Constraints[c]
	trues, tooMany := a.earliest(rule, true, 0, rule.Most)
	if !tooMany {
		return a.step(Emptied, 0, c)
	}
	if rule.Excludes() {
		// The second is the last literal that some constraint leaves open, and the first excludes it.
		a.before = a.place(trues[1])
		need := a.need(trues[1])
		if a.before > a.given && need >= 0 && a.problem.Constraints[need].Least == 1 && a.problem.Constraints[need].Weights == nil {
			return a.step(Emptied, 0, need)
		}
		a.before = len(a.trail) + 1
	}
	return Step{Kind: Emptied, Constraint: c, Because: a.use(nil, trues...), Full: true}
}

// earliest returns true literals of a constraint, or negations of false ones, except but: the first of the trail before the
// current step that together weigh more than number. If all together do not, it returns all.
func (a *argument) earliest(rule encode.Constraint, are bool, but cnf.Lit, number int) (trues []cnf.Lit, enough bool) {
	weight := make(map[cnf.Lit]int, len(rule.Lits))
	for k, l := range rule.Lits {
		fact := l
		if !are {
			fact = l.Not()
		}
		if l != but && a.known(fact) {
			trues, weight[fact] = append(trues, fact), rule.Weight(k)
		}
	}
	slices.SortFunc(trues, func(x, y cnf.Lit) int { return a.place(x) - a.place(y) })
	for i, l := range trues {
		if number < 0 {
			return trues[:i], true
		}
		number -= weight[l]
	}
	return trues, number < 0
}

// weightOf returns the weight of a literal in a constraint; 0 if it is not there.
func weightOf(rule encode.Constraint, l cnf.Lit) int {
	return rule.Sum(func(other cnf.Lit) bool { return other == l })
}

// known reports whether a literal is true before the current step.
func (a *argument) known(l cnf.Lit) bool { return 0 < a.place(l) && a.place(l) < a.before }

// derive returns the steps to the needed literals, in the order of the trail.
func (a *argument) derive() (steps []Step) {
	for i, l := range slices.Backward(a.trail) {
		if a.before = i + 1; i < a.given || !a.needed[l.Index()] {
			continue
		}
		if need := a.need(l); need >= 0 {
			steps = append(steps, a.step(Forced, l, need))
		} else {
			c, trues := a.full(l.Not())
			steps = append(steps, Step{Kind: Forced, Literal: l, Constraint: c, Because: a.use(nil, trues...), Full: true})
		}
	}
	slices.Reverse(steps)
	return steps
}

// need returns a constraint from which a true literal follows, since the constraint needs all of its literals
// that were not false before; -1 if there is none.
func (a *argument) need(l cnf.Lit) int {
	for _, c := range a.facts.Of(l) {
		rule, open := a.problem.Constraints[c], 0
		for k, other := range rule.Lits {
			if other != l && !a.known(other.Not()) {
				if open += rule.Weight(k); open >= rule.Least { // as many as it needs
					break
				}
			}
		}
		if open < rule.Least && rule.Least <= rule.Total() {
			return int(c)
		}
	}
	return -1
}

// full returns a constraint that leaves no room for l, and the true literals that take it: preferably one that
// excludes l.
func (a *argument) full(l cnf.Lit) (constraint int, trues []cnf.Lit) {
	if by, c := a.excludes(l, nil); by != 0 {
		return c, []cnf.Lit{by}
	}
	for _, c := range a.facts.Of(l) {
		rule := a.problem.Constraints[c]
		if rule.Excludes() || !rule.Limits() {
			continue
		}
		if trues, full := a.earliest(rule, true, l, rule.Most-weightOf(rule, l)); full {
			return int(c), trues
		}
	}
	panic("a literal follows from no constraint")
}

// step returns the step in which a constraint shows that l is true, since it needs all literals that it has left;
// or a contradiction if l is 0, since it has fewer left. In a case it leaves several.
func (a *argument) step(kind StepKind, l cnf.Lit, constraint int) Step {
	s := Step{Kind: kind, Literal: l, Constraint: constraint}
	rule := a.problem.Constraints[constraint]
	lits := rule.Lits
	if (rule.Least > 1 || rule.Weights != nil) && kind != Case {
		for _, l := range lits {
			if 0 < a.place(l) && a.place(l) <= a.given {
				s.Held++
			}
		}
		falses, _ := a.earliest(rule, false, l, rule.Total()-rule.Least-weightOf(rule, l))
		lits = cnf.Negated(falses)
	}
	for _, other := range lits {
		at := a.place(other.Not())
		if other == l || kind == Case && at == 0 || 0 < at && at <= a.fixed {
			continue
		}
		reason := other.Not()
		if at == 0 || at > a.given {
			if by, c := a.excludes(other, s.Because); other > 0 && by > 0 || at == 0 || at >= a.before {
				// "not x excludes not y" would be hard to read: derive it in a step of its own if possible.
				s.Excluded = append(s.Excluded, Exclusion{other, by, c})
				reason = by
			}
		}
		s.Because = a.use(s.Because, reason)
	}
	return s
}

// excludes returns a true literal that rules another one out, and the constraint that does not allow
// both; 0 if there is none. It prefers a literal that is used already, then the first of the trail.
func (a *argument) excludes(l cnf.Lit, used []cnf.Lit) (by cnf.Lit, constraint int) {
	best, known := a.before, false
	for _, c := range a.facts.Of(l) {
		at := int(a.holder[c])
		if at == 0 || at >= a.before || a.trail[at-1] == l {
			continue
		}
		again := slices.Contains(used, a.trail[at-1])
		if again && !known || again == known && at < best {
			best, known, by, constraint = at, again, a.trail[at-1], int(c)
		}
	}
	return by, constraint
}

// use records literals that a step needs, and appends those that are not the problem's own, each once.
func (a *argument) use(because []cnf.Lit, lits ...cnf.Lit) []cnf.Lit {
	for _, l := range lits {
		if a.needed[l.Index()] = true; a.place(l) > a.fixed && !slices.Contains(because, l) {
			because = append(because, l)
		}
	}
	return because
}
