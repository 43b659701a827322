package explain

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"queens/backends"
	"queens/encode"
	"queens/encode/cnf"
)

// Reason says why a literal can or cannot be true together with given ones.
type Reason struct {
	Literal cnf.Lit
	Verdict Verdict
	// Witness is a solution with the literal and the given ones, as a model; nil if there is none. Only
	// if it is nil are the following fields set.
	Witness []cnf.Lit
	// Conflict holds given literals that exclude each other, or one that the problem's fixed literals
	// exclude.
	Conflict []cnf.Lit
	// ExcludedBy holds the given literals that exclude the literal: each shares an at-most-one with it.
	ExcludedBy []cnf.Lit
	// Blame is a set of given literals that rules the literal out. It is minimal: without any one of
	// them, the rest does not, or not by steps as simple. The steps use all of Blame, and no other given
	// literals.
	Blame []cnf.Lit
	// Fewer is a smaller set that rules the literal out by a longer argument; nil if there is none. It is
	// minimal, too. It is empty, but not nil, if the literal is in no solution at all.
	Fewer []cnf.Lit
	// Smallest says that it is proved that no set smaller than Fewer or, if that is nil, than Blame rules the
	// literal out.
	Smallest bool
	// Steps lead by unit propagation from Blame and the literal to a contradiction or, if not Supposed,
	// from Blame to the literal's negation. They are empty if only a search shows it.
	Steps    []Step
	Supposed bool
	// Constraints holds a minimal set of constraints, by index, that have no solution with Blame and the
	// literal; nil unless requested. ConstraintsSmallest says that no smaller set has none.
	Constraints         []int
	ConstraintsSmallest bool
}

// Sentence puts the reason in one sentence, without a full stop.
func (r *Reason) Sentence(p encode.Problem) string {
	name := literalName(p, r.Literal)
	switch {
	case r.Witness != nil:
		return name + " is possible"
	case len(r.Blame) == 0:
		return name + " is in no solution, whatever is assumed"
	case r.Fewer == nil:
		return fmt.Sprintf("%s is ruled out by %s", name, and(literalNames(p, r.Blame)))
	case len(r.Fewer) == 0:
		return fmt.Sprintf("%s is ruled out by %s; it is in no solution, whatever is assumed", name, and(literalNames(p, r.Blame)))
	case len(r.Fewer) == 1:
		return fmt.Sprintf("%s is ruled out by %s (%s alone suffices, by a longer argument)", name,
			and(literalNames(p, r.Blame)), and(literalNames(p, r.Fewer)))
	}
	return fmt.Sprintf("%s is ruled out by %s (%s suffice, by a longer argument)", name, and(literalNames(p, r.Blame)),
		and(literalNames(p, r.Fewer)))
}

// inquiry looks for the reason why a literal is in no solution with given ones.
type inquiry struct {
	culprits
	literal cnf.Lit
	ladder  func() ladder // made when first needed: on large boards it takes longer than an answer
}

// newInquiry returns an inquiry. The solver answers for the ladder's problem, without the literals that
// always hold.
func newInquiry(solver backends.Backend, climb func() ladder, literal cnf.Lit, always, given []cnf.Lit) *inquiry {
	q := &inquiry{literal: literal, ladder: sync.OnceValue(climb)}
	q.culprits = culprits{solver: solver, always: append(slices.Clip(always), literal), all: given, refine: q.refine}
	return q
}

// refine returns the literals of a solver's core with which unit propagation refutes the literal, or all
// of them if it does not. A core may contain literals that the solver merely looked at.
func (q *inquiry) refine(core []cnf.Lit) []cnf.Lit {
	if _, steps := q.ladder().refute(append(slices.Clone(core), q.literal), ByChain, anySteps); steps != nil {
		return usedBy(steps, core)
	}
	return core
}

// blame completes the reason of a literal that no solution has together with the given ones. The reason
// already has its conflict and the literals that exclude it. blame looks for a smaller set for the given
// time.
func (q *inquiry) blame(ctx context.Context, r *Reason, within time.Duration) error {
	var core []cnf.Lit // the given literals that rule the literal out
	switch {
	case r.Verdict == IsBlocked:
		core = slices.DeleteFunc(slices.Clone(q.all), func(l cnf.Lit) bool { return l != q.literal.Not() })
	case len(r.ExcludedBy) > 0:
		r.Verdict, core = ByAttack, r.ExcludedBy[:1:1]
	case r.Conflict != nil:
		core = r.Conflict
	default:
		var err error
		r.Verdict, r.Steps, r.Blame, err = q.ladder().argue(q.all, q.literal, func(lits []cnf.Lit) (bool, error) {
			possible, _, err := q.possible(ctx, lits)
			return possible, err
		})
		if err != nil {
			return err
		}
		if core = r.Blame; r.Steps == nil {
			core = q.all
		}
	}
	if r.Conflict != nil && r.Verdict != IsBlocked {
		r.Verdict = ByConflict
	}
	model, _, err := q.ask(ctx, nil)
	if err != nil {
		return err
	}
	fewest := []cnf.Lit{}
	r.Smallest = true
	if model != nil {
		if q.note(model); len(core) == 1 {
			fewest = core
		} else if fewest, r.Smallest, err = q.find(ctx, core, within); err != nil {
			return err
		}
	}
	switch {
	case r.Steps == nil:
		r.Blame = fewest
	case len(fewest) < len(r.Blame):
		r.Fewer = fewest
		verdict, steps := q.ladder().refute(append(slices.Clone(fewest), q.literal), r.Verdict, q.ladder().readable(q.all))
		if steps != nil {
			r.Verdict, r.Steps, r.Blame, r.Fewer = verdict, steps, fewest, nil
		}
	}
	return nil
}
