package explain

import (
	"context"
	"slices"
	"time"

	"queens/backends"
	"queens/encode/cnf"
)

// inquiry looks for the reason why a literal is in no solution with given ones.
type inquiry struct {
	culprits
	literal cnf.Lit
	ladder  func() ladder // made when first needed: on large boards it takes longer than an answer
}

// newInquiry returns an inquiry. The solver answers for the ladder's problem, without the literals that
// always hold.
func newInquiry(solver backends.Backend, climb func() ladder, literal cnf.Lit, always, given []cnf.Lit) *inquiry {
	q := &inquiry{literal: literal, ladder: climb}
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

// blame completes the explanation of a literal that no solution has together with the given ones. It already
// has its conflict and the literals that exclude it. blame looks for a smaller set for the given
// time.
func (q *inquiry) blame(ctx context.Context, e *Explanation, within time.Duration) error {
	var core []cnf.Lit // the given literals that rule the literal out
	switch {
	case e.Verdict == IsBlocked:
		core = slices.DeleteFunc(slices.Clone(q.all), func(l cnf.Lit) bool { return l != q.literal.Not() })
	case len(e.ExcludedBy) > 0:
		e.Verdict, core = ByAttack, e.ExcludedBy[:1:1]
	case e.Conflict != nil:
		core = e.Conflict
	default:
		var err error
		e.Verdict, e.Steps, e.Blame, err = q.ladder().argue(q.all, q.literal, func(lits []cnf.Lit) (bool, error) {
			possible, _, err := q.possible(ctx, lits)
			return possible, err
		})
		if err != nil {
			return err
		}
		if core = e.Blame; e.Steps == nil {
			core = q.all
		}
	}
	if e.Conflict != nil && e.Verdict != IsBlocked {
		e.Verdict = ByConflict
	}
	model, _, err := q.ask(ctx, nil)
	if err != nil {
		return err
	}
	fewest := []cnf.Lit{}
	e.Smallest = true
	if model != nil {
		if q.note(model); len(core) == 1 {
			fewest = core
		} else if fewest, e.Smallest, err = q.find(ctx, core, within); err != nil {
			return err
		}
	}
	switch {
	case e.Steps == nil:
		e.Blame = fewest
	case len(fewest) < len(e.Blame):
		e.Fewer = fewest
		verdict, steps := q.ladder().refute(append(slices.Clone(fewest), q.literal), e.Verdict, q.ladder().readable(q.all))
		if steps != nil {
			e.Verdict, e.Steps, e.Blame, e.Fewer = verdict, steps, fewest, nil
		}
	}
	return nil
}
