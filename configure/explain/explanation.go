package explain

import (
	"fmt"

	"queens/encode"
	"queens/encode/cnf"
)

// Explanation says why a literal can or cannot be true together with given ones.
type Explanation struct {
	Literal cnf.Lit // 0 if it is about the problem alone
	Verdict Verdict
	// Witness is a solution with the literal and the given ones, as a model; nil if there is none. Only
	// if it is nil are the following fields set.
	Witness []cnf.Lit
	// Conflict holds given literals that exclude each other, or one whose negation always holds.
	Conflict []cnf.Lit
	// ExcludedBy holds the given literals that exclude the literal: each shares an at-most-one with it.
	ExcludedBy []cnf.Lit
	// Blame is a set of given literals that rules the literal out. It is minimal, as far as a bounded amount
	// of work shows: without any one of them, the rest does not, or not by steps as simple. The steps use
	// all of Blame, and no other given literals.
	Blame []cnf.Lit
	// Fewer is a smaller set that rules the literal out by a longer argument; nil if there is none. It is
	// minimal, too. It is empty, but not nil, if the literal is in no solution at all.
	Fewer []cnf.Lit
	// Smallest says that it is proved that no set smaller than Fewer or, if that is nil, than Blame rules the
	// literal out.
	Smallest bool
	// Steps lead by unit propagation from Blame and the literal to a contradiction or, if not Supposed,
	// from Blame to the literal's negation. They are empty if only a search shows it, and on a board also
	// if it is blocked, or an attack or a conflict shows it.
	Steps    []Step
	Supposed bool
}

// TakeBack returns given literals from which to choose one to take back. None of them can be spared to rule
// the literal out, so taking back any other does not help. There are none if the literal is in no solution
// at all.
func (e *Explanation) TakeBack() []cnf.Lit {
	if e.Fewer != nil {
		return e.Fewer
	}
	return e.Blame
}

// Sentence puts the explanation in one sentence, without a full stop.
func (e *Explanation) Sentence(p encode.Problem) string {
	switch {
	case e.Literal == 0 && e.Witness != nil:
		return "there is a solution"
	case e.Literal == 0:
		return "there is no solution, whatever is assumed"
	case e.Witness != nil:
		return literalName(p, e.Literal) + " is possible"
	}
	return e.sentence(p, literalName(p, e.Literal), "ruled out", "no")
}

// Forced puts an explanation why a literal cannot be true in one sentence about its negation, without a full stop.
func (e *Explanation) Forced(p encode.Problem) string {
	return e.sentence(p, literalName(p, e.Literal.Not()), "forced", "every")
}

// sentence says what the blamed literals do to a named one, and which solutions have it if they are not needed.
func (e *Explanation) sentence(p encode.Problem, name, is, which string) string {
	blame := and(literalNames(p, e.Blame))
	switch {
	case len(e.Blame) == 0:
		return fmt.Sprintf("%s is in %s solution, whatever is assumed", name, which)
	case e.Fewer != nil && len(e.Fewer) == 0:
		return fmt.Sprintf("%s is %s by %s; it is in %s solution, whatever is assumed", name, is, blame, which)
	}
	return fmt.Sprintf("%s is %s by %s%s", name, is, blame, e.aside(and(literalNames(p, e.Fewer))))
}

// aside says that fewer literals suffice, whose names are given.
func (e *Explanation) aside(fewer string) string {
	switch len(e.Fewer) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf(" (%s alone suffices, by a longer argument)", fewer)
	}
	return fmt.Sprintf(" (%s suffice, by a longer argument)", fewer)
}
