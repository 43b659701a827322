package sat

import (
	"context"
	"errors"
	"slices"

	"queens/backends/rotation"
	"queens/encode/cnf"
)

// flipped is the model that questions flip between two queries.
type flipped struct {
	*rotation.Model
	fixed []int8 // by literal of the problem: 0 if its variable is open under the question's assumptions
}

// flip changes the solver's last model, which q.changed holds, into others that show open targets. An error means that the
// solver or the encoding is broken.
func (q *question) flip(ctx context.Context) error {
	r := q.propagator()
	if q.flipped.Model == nil {
		q.flipped.fixed = make([]int8, 2*q.problem.AllVars())
		q.flipped.Model = rotation.New(q.problem, r, q.flipped.fixed)
	}
	if q.numbers == nil { // the first model of the question
		if !q.closed {
			r.Assume(q.given)
		}
		clear(q.flipped.fixed)
		for _, l := range r.Trail() {
			q.flipped.fixed[l.Index()], q.flipped.fixed[l.Not().Index()] = 1, 1
		}
		q.numbers = make([]int32, q.problem.AllVars())
		for i, v := range q.vars[:q.named] {
			q.numbers[v-1] = int32(i + 1)
		}
	}
	m := q.flipped.Model
	m.Start()
	for _, l := range q.changed {
		m.Set(l)
	}
	if m.Violated() {
		return errors.New("the solver's model is not a solution")
	}
	m.Keep()
	for t, open := range q.open {
		if !open || !q.open[t] {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if l := q.literal(t); q.flipped.fixed[l.Index()] == 0 && m.Flip(l) {
			q.seeFlipped(m.Flipped())
		}
	}
	return nil
}

// seeFlipped shows the targets that the last flip made true.
func (q *question) seeFlipped(lits []cnf.Lit) {
	for _, l := range lits {
		if i := int(q.numbers[l.Var()-1]) - 1; i >= 0 && l > 0 {
			q.see(i)
		} else if i >= 0 && q.cover == nil {
			q.see(q.named + i)
		}
	}
	if q.memory != nil {
		q.memory.Follow(slices.Clone(lits))
	}
}
