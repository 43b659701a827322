package explain

import (
	"context"
	"slices"

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
func newInquiry(
	solver backends.Backend, vars int, climb func() ladder, literal cnf.Lit, always, given []cnf.Lit,
) *inquiry {
	q := &inquiry{newCulprits(solver, vars, append(slices.Clip(always), literal), given), literal, climb}
	q.culprits.refine = q.refine
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
// has its conflict and the literals that exclude it. blame looks for a smaller set by
// the given work.
func (q *inquiry) blame(ctx context.Context, e *Explanation, work int64) error {
	possible, _, err := q.possible(ctx, nil)
	if err != nil {
		return err
	}
	var core []cnf.Lit // the given literals that rule the literal out
	switch {
	case e.Verdict == IsBlocked:
		core = slices.DeleteFunc(slices.Clone(q.all), func(l cnf.Lit) bool { return l != q.literal.Not() })
	case len(e.ExcludedBy) > 0:
		e.Verdict, core = ByAttack, e.ExcludedBy[:1:1]
	case e.Conflict != nil:
		core = e.Conflict
	default:
		if e.Verdict, e.Steps, e.Blame, err = q.argue(ctx); err != nil {
			return err
		}
		if core = e.Blame; e.Steps == nil {
			core = q.all
		}
	}
	if e.Conflict != nil && e.Verdict != IsBlocked {
		e.Verdict = ByConflict
	}
	fewest := []cnf.Lit{}
	e.Smallest = true
	switch {
	case possible == backends.Unsat:
	case len(core) == 1:
		fewest, e.Smallest = core, possible == backends.Sat
	default:
		if fewest, e.Smallest, err = q.find(ctx, core, work); err != nil {
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

// argue returns the cheapest argument from given literals against one more, and the given literals that
// it uses: without any one of them, no argument is as cheap, as far as the work that is left shows. It returns
// BySearch if there is no argument.
func (q *inquiry) argue(ctx context.Context) (Verdict, []Step, []cnf.Lit, error) {
	l, strange := q.ladder(), false
	readable := l.readable(q.all)
	sound := func(steps []Step) bool {
		reads := readable(steps)
		strange = strange || !reads
		return reads
	}
	verdict, steps := l.refute(append(slices.Clip(q.all), q.literal), ByChoice, sound)
	if strange && steps == nil {
		sound = anySteps
		verdict, steps = l.refute(append(slices.Clip(q.all), q.literal), ByChoice, sound)
	}
	if steps == nil {
		return BySearch, nil, nil, nil
	}
	blamed := usedBy(steps, q.all)
	for i, needed := 0, 0; needed < len(blamed) && q.left > 0; { // needed: literals tried, in turn, since one was dropped
		if i >= len(blamed) {
			i = 0
		}
		fewer := slices.Delete(slices.Clone(blamed), i, i+1)
		status, _, err := q.possible(ctx, fewer)
		if err != nil {
			return "", nil, nil, err
		}
		var found Verdict
		var shorter []Step
		if status != backends.Sat { // with a solution, there is no argument
			before := l.facts.Set()
			found, shorter = l.refute(append(slices.Clone(fewer), q.literal), verdict, sound)
			q.left -= int64(l.facts.Set()-before) / 16
		}
		if shorter == nil {
			i, needed = i+1, needed+1
			continue
		}
		verdict, steps, needed = found, shorter, 0
		blamed = usedBy(steps, fewer)
	}
	return verdict, steps, blamed, nil
}
