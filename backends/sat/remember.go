package sat

import (
	"context"
	"errors"

	"queens/backends"
	"queens/backends/recall"
	"queens/encode/cnf"
)

// Remember is the method for sessions.
const Remember = "remember"

// remember works like pack, and keeps what it finds for the next question: solutions, answers, and what they rule
// out ([recall.Memory]). On a formula all questions ask one solver, which keeps the whole problem and the clauses that it has
// learned.
func (o *Oracle) remember(ctx context.Context, assume []cnf.Lit, find func(context.Context, *question) error) (valid backends.Valid, err error) {
	if err := ctx.Err(); err != nil {
		return backends.Valid{}, err
	}
	if o.memory == nil {
		o.memory = recall.New(o.problem.AllVars())
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
		q.recall()
	}
	if err := q.settle(ctx, find); err != nil {
		return backends.Valid{}, err
	}
	valid = q.answer()
	o.memory.Answered(valid)
	return valid, nil
}

// recall settles targets by what is kept.
func (q *question) recall() {
	q.satisfiable = q.satisfiable || q.memory.Satisfiable()
	for t, open := range q.open {
		switch l := q.literal(t); {
		case !open:
		case q.memory.Impossible(l):
			q.refute(t)
		case q.memory.Possible(l):
			q.see(t)
		}
	}
}
