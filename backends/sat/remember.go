package sat

import (
	"context"
	"errors"
	"slices"

	"queens/backends"
	"queens/backends/recall"
	"queens/encode/cnf"
)

// Remember is the method for sessions.
const Remember = "remember"

// remember works like pack, and keeps what it finds for the next question: solutions, answers, and what they rule
// out ([recall.Memory]). On a formula the questions after the first need a solver for a few values or none. All ask one
// that keeps the whole problem and the clauses that it has learned.
func (o *Oracle) remember(ctx context.Context, assume []cnf.Lit, find func(context.Context, *question) error) (valid backends.Valid, err error) {
	if err := ctx.Err(); err != nil {
		return backends.Valid{}, err
	}
	if o.memory == nil {
		o.memory = recall.NewMover(o.problem)
	}
	if valid, known := o.memory.Ask(assume); known {
		valid.Work = (&question{source: &o.source}).work()
		return valid, nil
	}
	formula := o.Formula
	if o.cover == nil {
		formula = Closed
	}
	q := newQuestion(&o.source, assume, formula)
	defer func() { err = errors.Join(err, q.close()) }()
	q.memory = o.memory
	if !q.refuted {
		if err := q.recall(ctx); err != nil {
			return backends.Valid{}, err
		}
	}
	if err := q.settle(ctx, find); err != nil {
		return backends.Valid{}, err
	}
	valid = q.answer()
	o.memory.Answered(valid)
	return valid, nil
}

// remembered answers from a solution that is kept; known is false if none satisfies the assumptions.
func (o *Oracle) remembered(assume []cnf.Lit) (answer backends.Answer, known bool) {
	if o.memory == nil {
		return answer, false
	}
	model, known := o.memory.Solution(assume)
	if !known || o.problem.Whole().Verify(model) != nil {
		return answer, false
	}
	return backends.Answer{Status: backends.Sat, Model: model[:o.problem.NumVars()]}, true
}

// worthMoving is the number of targets without a witness from which on it is worth moving solutions.
const worthMoving = 8

// recall settles targets by what is kept. On a formula it first moves kept solutions to the question's assumptions, if
// many targets have lost their witness.
func (q *question) recall(ctx context.Context) error {
	m := q.memory
	q.satisfiable = q.satisfiable || m.Satisfiable()
	lost := q.lost(m.Likely)
	if q.cover == nil && len(lost) > worthMoving && q.rotation != nil {
		if err := q.move(ctx, lost); err != nil || q.refuted {
			return err
		}
	}
	q.lost(m.Possible)
	return nil
}

// move moves kept solutions to the question's assumptions. If none satisfies them, it looks for one first. The question
// is about the whole problem: on the residual formula it no longer knows its assumptions.
func (q *question) move(ctx context.Context, lost []cnf.Lit) error {
	r, m := q.propagator(), q.memory
	if !m.Satisfiable() {
		if found, known := q.rotation.begin(ctx, r, q.given); found {
			q.keepRotated(q.rotation, true)
		} else if known {
			q.refuted = true
			return nil
		} else if status, _, err := q.ask(ctx); err != nil || status == backends.Unsat {
			return err
		} else {
			q.show()
		}
	}
	q.satisfiable = true
	lost = slices.DeleteFunc(lost, func(l cnf.Lit) bool { return !r.IsOpen(l) })
	return m.Move(r.Trail()[r.Root():], lost)
}

// lost settles the open targets that the memory rules out or shows, and returns the problem's literals of the others.
func (q *question) lost(shows func(cnf.Lit) bool) (lost []cnf.Lit) {
	lost = make([]cnf.Lit, 0, len(q.targets))
	for t := range q.targets {
		if !q.open[t] {
			continue
		}
		switch l := q.literal(t); {
		case q.memory.Impossible(l):
			q.refute(t)
		case shows(l):
			q.see(t)
		default:
			lost = append(lost, l)
		}
	}
	return lost
}

// literal returns the problem's literal for a target.
func (q *question) literal(t int) cnf.Lit {
	target := q.targets[t]
	l := q.vars[target.Var()-1].Pos()
	if target < 0 {
		l = l.Not()
	}
	return l
}

// keepModel keeps the solver's last model.
func (q *question) keepModel() {
	if q.memory == nil {
		return
	}
	q.changed = q.changed[:0]
	if q.own { // the solver knows only the residual formula
		for i, value := range q.propagator().Values() {
			if value != 0 {
				q.changed = append(q.changed, literal(i, value > 0))
			}
		}
	}
	for i, v := range q.vars {
		q.changed = append(q.changed, literal(int(v-1), q.asked.Value(cnf.Var(i+1))))
	}
	q.memory.Keep(q.changed)
}

// keepRotated keeps the rotation's model. It differs from the one kept last in the literals flipped; if first is set,
// that is not known.
func (q *question) keepRotated(w *rotation, first bool) {
	if q.memory == nil {
		return
	}
	if !first {
		q.memory.Follow(w.flipped)
		return
	}
	q.changed = q.changed[:0]
	for i, is := range w.value {
		q.changed = append(q.changed, literal(i, is))
	}
	q.memory.Keep(q.changed)
}

// literal returns the literal of a variable, counted from 0, with a value.
func literal(i int, is bool) cnf.Lit {
	if is {
		return cnf.Var(i + 1).Pos()
	}
	return cnf.Var(i + 1).Neg()
}
