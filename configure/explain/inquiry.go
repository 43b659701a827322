package explain

import (
	"context"
	"slices"

	"queens/backends"
	"queens/encode"
	"queens/encode/cnf"
)

// inquiry looks for the reason why a literal is in no solution with given ones.
type inquiry struct {
	culprits
	by      *Explainer
	problem encode.Problem // with what always holds
	literal cnf.Lit
}

// newInquiry returns an inquiry about a question to an Explainer.
func newInquiry(x *Explainer, p encode.Problem, asked Question, given []cnf.Lit) *inquiry {
	always := append(slices.Clip(asked.Always), asked.Literal)
	q := &inquiry{newCulprits(x.solver, p.AllVars(), always, given), x, p, asked.Literal}
	q.culprits.refine = q.refine
	return q
}

// trace returns the Explainer's trace for the inquiry's problem. It is made when first needed: on large boards
// that takes longer than an answer.
func (q *inquiry) trace() *trace {
	if q.by.traced == nil {
		q.by.traced = newTrace(q.by.problem)
	}
	q.by.traced.problem = q.problem
	return q.by.traced
}

// refute looks for an argument from given literals against the literal: see [trace.refute].
func (q *inquiry) refute(given []cnf.Lit, highest Verdict, accept func([]Step) bool) (Verdict, []Step) {
	return q.trace().refute(append(slices.Clip(given), q.literal), highest, accept)
}

// refine returns the literals of a solver's core with which unit propagation refutes the literal, or all
// of them if it does not. A core may contain literals that the solver merely looked at.
func (q *inquiry) refine(core []cnf.Lit) []cnf.Lit {
	if _, steps := q.refute(core, ByChain, anySteps); steps != nil {
		return usedBy(steps, core)
	}
	return core
}

// blame completes the explanation of a literal that no solution has together with the given ones. The explanation
// already has its conflict and the literals that exclude it. Blame spends the given work on looking for a smaller set.
func (q *inquiry) blame(ctx context.Context, e *Explanation, work int64) error {
	alone, _, err := q.possible(ctx, nil)
	if err != nil {
		return err
	}
	var core []cnf.Lit // the given literals that rule the literal out
	switch {
	case e.Verdict == IsBlocked:
		core = q.among([]cnf.Lit{q.literal.Not()})
	case len(e.ExcludedBy) > 0:
		e.Verdict, core = ByAttack, e.ExcludedBy[:1:1]
	case e.Conflict != nil:
		core = e.Conflict
	default:
		if err := q.argue(ctx, e); err != nil {
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
	if e.Smallest = alone == backends.Unsat; !e.Smallest {
		if fewest, e.Smallest, err = q.find(ctx, core, work); err != nil {
			return err
		}
	}
	switch {
	case q.by.queens && e.Verdict == ByConflict: // the two queens are the reason, though one may suffice
		if e.Blame = core; len(fewest) < len(core) {
			e.Fewer = fewest
		}
	case e.Steps == nil:
		e.Blame = fewest
		isFalse := func(l cnf.Lit) bool { return slices.Contains(q.problem.Fixed, l.Not()) }
		switch { // what was seen at first may not be to blame; what is, may contradict a fact, or have steps of its own
		case q.by.queens, len(fewest) == len(core), isFalse(q.literal):
		case slices.ContainsFunc(fewest, isFalse):
			e.Conflict = fewest
		default:
			e.Verdict, e.Steps, _ = q.cheapest(fewest)
		}
	case len(fewest) < len(e.Blame):
		e.Fewer = fewest
		if verdict, steps := q.refute(fewest, e.Verdict, q.trace().readable(q.all)); steps != nil {
			e.Verdict, e.Steps, e.Blame, e.Fewer = verdict, steps, fewest, nil
		}
	}
	return nil
}

// cheapest returns the cheapest argument from given literals against the literal, if possible one that reads naturally,
// and which steps it accepts. If there is no argument, the verdict is BySearch.
func (q *inquiry) cheapest(given []cnf.Lit) (verdict Verdict, steps []Step, accept func([]Step) bool) {
	readable, strange := q.trace().readable(given), false
	accept = func(steps []Step) bool {
		reads := readable(steps)
		strange = strange || !reads
		return reads
	}
	verdict, steps = q.refute(given, ByChoice, accept)
	if strange && steps == nil {
		accept = anySteps
		verdict, steps = q.refute(given, ByChoice, accept)
	}
	return verdict, steps, accept
}

// argue notes the cheapest argument from given literals against the literal, and blames those that it uses: without
// any one of them, no argument is as cheap, as far as the work that is left shows. If there is no argument, the
// verdict is BySearch.
func (q *inquiry) argue(ctx context.Context, e *Explanation) error {
	var accept func([]Step) bool
	e.Verdict, e.Steps, accept = q.cheapest(q.all)
	e.Blame = usedBy(e.Steps, q.all)
	for i, needed := 0, 0; needed < len(e.Blame) && q.left > 0; { // needed: literals tried, in turn, since one was dropped
		if i >= len(e.Blame) {
			i = 0
		}
		fewer := slices.Delete(slices.Clone(e.Blame), i, i+1)
		status, _, err := q.possible(ctx, fewer)
		if err != nil {
			return err
		}
		if status != backends.Sat { // with a solution, there is no argument
			before := q.trace().facts.Set()
			verdict, steps := q.refute(fewer, e.Verdict, accept)
			q.left -= int64(q.trace().facts.Set()-before) / 16
			if steps != nil {
				e.Verdict, e.Steps, e.Blame, needed = verdict, steps, usedBy(steps, fewer), 0
				continue
			}
		}
		i, needed = i+1, needed+1
	}
	return nil
}
