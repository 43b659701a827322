package explain

import (
	"slices"

	"queens/encode/cnf"
)

// Verdict names the rung of the ladder that explains a literal: the cheapest one that suffices. A cell of a
// board is the literal that a queen stands on it, and the lines are its constraints.
type Verdict string

const (
	HasQueen    Verdict = "queen"    // a queen stands on the cell
	IsBlocked   Verdict = "blocked"  // the cell must stay empty; the literal's negation is given
	IsValid     Verdict = "valid"    // there is a solution with it: the witness
	ByConflict  Verdict = "conflict" // given literals exclude each other, independently of the literal
	ByAttack    Verdict = "attacked" // given literals exclude it
	ByEmptyLine Verdict = "emptied"  // with it, some constraint has no literal left that it needs
	ByChain     Verdict = "chain"    // forced literals lead to such a constraint
	ByChoice    Verdict = "choice"   // every open literal of some constraint leads to such a constraint
	BySearch    Verdict = "search"   // no solution, and no short argument either

	IsUnsatisfiable Verdict = "unsatisfiable" // the problem alone has no solution
)

// refute looks for a contradiction that follows from the given literals, on rungs up to the highest
// allowed, by steps for which accept is true. It returns BySearch without steps if it finds none.
func (t *trace) refute(given []cnf.Lit, highest Verdict, accept func([]Step) bool) (Verdict, []Step) {
	violated := t.follow(given)
	switch steps := t.refutation(violated, accept); {
	case len(steps) == 1:
		return ByEmptyLine, steps
	case steps != nil && highest != ByEmptyLine:
		return ByChain, steps
	}
	if violated == nil && highest == ByChoice {
		if steps := t.choice(given, accept); steps != nil {
			return ByChoice, steps
		}
	}
	return BySearch, nil
}

const (
	// maxChoices bounds the open literals of a constraint that are tried one by one: nobody would follow
	// an argument with more cases.
	maxChoices = 8
	// choiceWork bounds the literals set while trying, so that an explanation of a large formula ends
	// soon.
	choiceWork = 1 << 20
)

// choice looks for a constraint whose every open literal leads to a contradiction by unit propagation,
// trying constraints with the fewest open literals first. The given literals must have been propagated. It
// returns nil if it finds none by choiceWork, or if accept is false for the steps of the first.
func (t *trace) choice(given []cnf.Lit, accept func([]Step) bool) []Step {
	end := t.facts.Set() + choiceWork
	holds, fails := make([]bool, 2*t.problem.AllVars()), make([]bool, 2*t.problem.AllVars())
	for open := 2; open <= maxChoices; open++ {
		for _, c := range t.facts.Needs(open) {
			if cases := t.failing(c, holds, fails); cases != nil {
				return t.cases(given, c, cases, accept)
			}
			if t.facts.Set() > end {
				return nil
			}
		}
	}
	return nil
}

// failing returns the open literals of a constraint if each leads to a contradiction, otherwise nil. It
// does not try literals that are known to hold or to fail, and notes what it finds: what follows from a
// literal that holds, holds as well.
func (t *trace) failing(constraint int, holds, fails []bool) []cnf.Lit {
	var cases []cnf.Lit
	for _, c := range t.problem.Constraints[constraint].Lits {
		if t.facts.IsOpen(c) {
			if holds[c.Index()] {
				return nil
			}
			cases = append(cases, c)
		}
	}
	known := t.facts.Len()
	defer t.facts.Assume(nil)
	for _, c := range cases {
		if fails[c.Index()] {
			continue
		}
		if t.facts.Assume([]cnf.Lit{c}) {
			for i := known; i < t.facts.Len(); i++ {
				holds[t.facts.At(i).Index()] = true
			}
			return nil
		}
		fails[c.Index()] = true
	}
	return cases
}

// cases returns the steps that show which literals a constraint leaves open, and the refutation of each
// of them; nil if accept is false for one.
func (t *trace) cases(given []cnf.Lit, constraint int, cases []cnf.Lit, accept func([]Step) bool) []Step {
	a := t.argument()
	first := a.step(Case, 0, constraint)
	derived := slices.Clip(a.derive())
	given = slices.Clip(given)
	for _, s := range derived {
		given = append(given, s.Literal)
	}
	steps := derived
	for _, c := range cases {
		first.Literal = c
		supposed := slices.Clip(append(derived, first))
		refutation := t.refutation(t.follow(append(slices.Clip(given), c)), func(found []Step) bool {
			return accept(append(supposed, found...))
		})
		if refutation == nil {
			return nil
		}
		steps = append(append(steps, first), refutation...)
	}
	return steps
}

// anySteps accepts all steps.
func anySteps([]Step) bool { return true }

// readable returns a function that reports whether steps read naturally: no step derives a given literal, or one
// that a given or derived literal excludes. Other steps would be valid, but strange to read.
func (t *trace) readable(given []cnf.Lit) func(steps []Step) bool {
	known := make([]bool, 2*t.problem.AllVars())      // by literal: it or its negation is given
	taken := make([]bool, len(t.problem.Constraints)) // by constraint that is at most one: it has a given literal
	take := func(taken []bool, l cnf.Lit) (free bool) {
		free = true
		for _, c := range t.facts.Of(l) {
			if t.problem.Constraints[c].Excludes() {
				free = free && !taken[c]
				taken[c] = true
			}
		}
		return free
	}
	for _, g := range given {
		known[g.Index()], known[g.Not().Index()] = true, true
		take(taken, g)
	}
	return func(steps []Step) bool {
		taken := slices.Clone(taken)
		return !slices.ContainsFunc(steps, func(s Step) bool {
			return s.Literal != 0 && (known[s.Literal.Index()] || !take(taken, s.Literal))
		})
	}
}

// usedBy returns the literals of a list that the steps use.
func usedBy(steps []Step, lits []cnf.Lit) []cnf.Lit {
	return slices.DeleteFunc(slices.Clone(lits), func(l cnf.Lit) bool {
		return !slices.ContainsFunc(steps, func(s Step) bool { return slices.Contains(s.Because, l) })
	})
}

// forward returns the steps that lead from given literals to the negation of another one, or to a
// contradiction; nil unless unit propagation finds such steps and they need all of the given literals.
func (t *trace) forward(given []cnf.Lit, refuted cnf.Lit) (steps []Step) {
	if violated := t.follow(given); violated != nil {
		steps = t.refutation(violated, anySteps)
	} else if a := t.argument(); a.place(refuted.Not()) > a.given {
		a.needed[refuted.Not().Index()] = true
		steps = a.derive()
	}
	if len(usedBy(steps, given)) < len(given) {
		return nil
	}
	return steps
}
