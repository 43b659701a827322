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
)

// rank orders the rungs from the cheapest.
func (v Verdict) rank() int {
	return slices.Index([]Verdict{ByConflict, ByAttack, ByEmptyLine, ByChain, ByChoice, BySearch}, v)
}

// ladder looks for arguments that a person can follow, cheapest first.
type ladder struct{ *trace }

// refute looks for a contradiction that follows from the given literals, on rungs up to the highest
// allowed, by steps that sound accepts. It returns BySearch without steps if it finds none.
func (l ladder) refute(given []cnf.Lit, highest Verdict, sound func([]Step) bool) (Verdict, []Step) {
	violated := l.follow(given)
	switch steps := l.refutation(violated, sound); {
	case len(steps) == 1:
		return ByEmptyLine, steps
	case steps != nil && highest.rank() >= ByChain.rank():
		return ByChain, steps
	}
	if violated == nil && highest == ByChoice {
		if steps := l.choice(given, sound); steps != nil {
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
// returns nil if there is none, or if sound does not accept the steps.
func (l ladder) choice(given []cnf.Lit, sound func([]Step) bool) []Step {
	end := l.facts.Set() + choiceWork
	holds, fails := make([]bool, 2*l.problem.AllVars()), make([]bool, 2*l.problem.AllVars())
	for open := 2; open <= maxChoices; open++ {
		for _, c := range l.facts.Needs(open) {
			if cases := l.failing(c, holds, fails); cases != nil {
				return l.cases(given, c, cases, sound)
			}
			if l.facts.Set() > end {
				return nil
			}
		}
	}
	return nil
}

// failing returns the open literals of a constraint if each leads to a contradiction, otherwise nil. It
// does not try literals that are known to hold or to fail, and notes what it finds: what follows from a
// literal that holds, holds as well.
func (l ladder) failing(constraint int, holds, fails []bool) []cnf.Lit {
	var cases []cnf.Lit
	for _, c := range l.problem.Constraints[constraint].Lits {
		if l.facts.IsOpen(c) {
			if holds[c.Index()] {
				return nil
			}
			cases = append(cases, c)
		}
	}
	known := l.facts.Len()
	defer l.facts.Assume(nil)
	for _, c := range cases {
		if fails[c.Index()] {
			continue
		}
		if l.facts.Assume([]cnf.Lit{c}) {
			for i := known; i < l.facts.Len(); i++ {
				holds[l.facts.At(i).Index()] = true
			}
			return nil
		}
		fails[c.Index()] = true
	}
	return cases
}

// cases returns the steps that show which literals a constraint leaves open, and the refutation of each
// of them; nil if sound does not accept one.
func (l ladder) cases(given []cnf.Lit, constraint int, cases []cnf.Lit, sound func([]Step) bool) []Step {
	a := l.argument()
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
		refutation := l.refutation(l.follow(append(slices.Clip(given), c)), func(found []Step) bool {
			return sound(append(supposed, found...))
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

// readable returns a function that reports whether steps read naturally: no step derives a given literal
// or one that a given or derived literal excludes, and no step excludes a given literal. Other steps would
// be valid, but strange to read.
func (l ladder) readable(given []cnf.Lit) func(steps []Step) bool {
	isGiven, excluded := make([]bool, 2*l.problem.AllVars()), make([]bool, 2*l.problem.AllVars())
	for _, g := range given {
		isGiven[g.Index()] = true
		excluded[g.Not().Index()] = true
		for _, c := range l.facts.Of(g) {
			if one := l.problem.Constraints[c]; one.Excludes() {
				for _, other := range one.Lits {
					excluded[other.Index()] = excluded[other.Index()] || other != g
				}
			}
		}
	}
	return func(steps []Step) bool {
		return !l.clash(steps) && !slices.ContainsFunc(steps, func(s Step) bool {
			return s.Literal != 0 && (isGiven[s.Literal.Index()] || excluded[s.Literal.Index()]) ||
				slices.ContainsFunc(s.Excluded, func(e Exclusion) bool { return isGiven[e.Literal.Index()] })
		})
	}
}

// clash reports whether steps derive two literals that a constraint does not allow together. Those of
// different cases are never derived together.
func (l ladder) clash(steps []Step) bool {
	common := -1     // length of held before the first case
	var held []int32 // constraints that are at most one and have a derived literal
	for _, s := range steps {
		if s.Kind == Case {
			if common < 0 {
				common = len(held)
			}
			held = held[:common]
		}
		if s.Literal == 0 {
			continue
		}
		for _, c := range l.facts.Of(s.Literal) {
			if !l.problem.Constraints[c].Excludes() {
				continue
			}
			if slices.Contains(held, c) {
				return true
			}
			held = append(held, c)
		}
	}
	return false
}

// usedBy returns the literals of a list that the steps use.
func usedBy(steps []Step, lits []cnf.Lit) []cnf.Lit {
	return slices.DeleteFunc(slices.Clone(lits), func(l cnf.Lit) bool {
		return !slices.ContainsFunc(steps, func(s Step) bool { return slices.Contains(s.Because, l) })
	})
}

// forward returns the steps that lead from given literals to the negation of another one, or to a
// contradiction; nil unless unit propagation finds such steps and they need all of the given literals.
func (l ladder) forward(given []cnf.Lit, refuted cnf.Lit) (steps []Step) {
	if violated := l.follow(given); violated != nil {
		steps = l.refutation(violated, anySteps)
	} else if l.locate(); int(l.place(refuted.Not())) > l.given {
		steps = l.derivation(refuted.Not())
	}
	if len(usedBy(steps, given)) < len(given) {
		return nil
	}
	return steps
}
