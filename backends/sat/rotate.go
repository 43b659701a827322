package sat

import (
	"context"
	"errors"

	"queens/backends"
	"queens/encode/cnf"
)

// rotate settles targets of a formula mostly without queries: it shows them by flips, and shows or refutes them by
// searches near the model. What neither settles is left to the solver: one query asks for any of it, if the solver serves
// only this question. Each model that it finds is flipped, too.
func rotate(ctx context.Context, q *question) error {
	t, err := newTurner(ctx, q)
	if t == nil || err != nil {
		return err
	}
	if err := t.turn(ctx, t.settle); err != nil {
		return err
	}
	for !q.done() {
		status, err := q.askSome(ctx)
		if err != nil {
			return err
		}
		if status == backends.Sat {
			if err := t.load(); err != nil {
				return err
			}
			if err := t.turn(ctx, t.flip); err != nil {
				return err
			}
		}
	}
	return nil
}

// turner settles a question's targets by turning models of its.
type turner struct {
	*question
	model  *rotation
	target []int  // by variable-1: its target + 1, or 0
	most   uint64 // literals that may be set

	flips, searches trust
}

// trust is the number of attempts that may still fail: each that succeeds earns two more.
type trust int

func (t *trust) learn(succeeded bool) bool {
	if *t--; succeeded {
		*t += 3
	}
	return succeeded
}

// The trust that a turn begins with. A flip that fails takes microseconds, and a search that does some milliseconds: on
// random formulas the solver then needs less time.
const (
	flipTrust   = 128
	searchTrust = 2
)

// newTurner returns a turner with a model. A search makes it of the last question's model, or of all variables
// false; if that fails, the solver supplies it. It returns nil if there is none.
func newTurner(ctx context.Context, q *question) (*turner, error) {
	r := q.propagator()
	if !q.closed && !r.Assume(q.assume) {
		q.refuted = true
		return nil, nil
	}
	if q.rotation == nil {
		q.rotation = newRotation(q.problem, r)
	}
	w := q.rotation
	t := &turner{question: q, model: w, target: make([]int, q.problem.AllVars()),
		most: w.work + 1<<20 + 64*uint64(len(q.targets))}
	for i, v := range q.vars[:q.named] {
		t.target[v-1] = i + 1
	}
	if found, known := w.begin(ctx, r, q.given); found {
		q.satisfiable = true
		for v, value := range w.value {
			t.see(v, value)
		}
		t.keepRotated(w, true)
	} else if known {
		q.refuted = true
		return nil, nil
	} else {
		status, _, err := q.ask(ctx)
		if err != nil || status == backends.Unsat {
			return nil, err
		}
		if err := t.load(); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// see shows the target that says that a variable, counted from 0, has a value.
func (t *turner) see(variable int, value bool) {
	switch i := t.target[variable]; {
	case i > 0 && value:
		t.question.see(i - 1)
	case i > 0 && t.cover == nil:
		t.question.see(t.named + i - 1)
	}
}

// load takes over the solver's model, and shows its targets. An error means that the solver or the encoding is broken.
func (t *turner) load() error {
	for _, l := range t.model.implied.trail {
		t.model.set(l)
	}
	for i, v := range t.vars {
		l := v.Neg()
		if t.asked.Value(cnf.Var(i + 1)) {
			l = v.Pos()
		}
		t.model.set(l)
		t.see(int(v)-1, l > 0)
	}
	if !t.model.accept() {
		return errors.New("the solver's model is not a solution")
	}
	t.keepRotated(t.model, true)
	return nil
}

// turn tries to settle each open target, until all are or it has set its share of literals.
func (t *turner) turn(ctx context.Context, settle func(ctx context.Context, target int, l cnf.Lit)) error {
	t.flips, t.searches = flipTrust, searchTrust
	for i, target := range t.targets {
		if !t.open[i] {
			continue
		}
		l := t.vars[target.Var()-1].Pos()
		if target < 0 {
			l = l.Not()
		}
		if err := ctx.Err(); err != nil || t.model.work > t.most {
			return err
		}
		settle(ctx, i, l)
	}
	return nil
}

// flip tries to show a target.
func (t *turner) flip(_ context.Context, _ int, l cnf.Lit) {
	if t.flips > 0 && t.model.implied.isOpen(l) && t.flips.learn(t.model.flip(l)) {
		t.seeFlipped()
	}
}

// settle tries to show a target or to refute it.
func (t *turner) settle(ctx context.Context, i int, l cnf.Lit) {
	if !t.model.implied.isOpen(l) { // false: if it were true, the model would have shown it
		t.refute(i)
	} else if t.flips > 0 && t.flips.learn(t.model.flip(l)) {
		t.seeFlipped()
	} else if t.searches > 0 {
		found, known := t.model.search(ctx, l)
		t.searches.learn(known)
		if found {
			t.seeFlipped()
		} else if known {
			t.refute(i)
		}
	}
}

// seeFlipped shows the targets that the last flip or search made true.
func (t *turner) seeFlipped() {
	for _, l := range t.model.flipped {
		t.see(int(l.Var())-1, l > 0)
	}
	t.keepRotated(t.model, false)
}
