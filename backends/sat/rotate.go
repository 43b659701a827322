package sat

import (
	"context"
	"errors"

	"queens/backends"
	"queens/encode/cnf"
)

// rotate settles targets of a formula mostly without queries: it shows them by rotation, and refutes them by
// unit propagation. What neither settles is left to the solver. One query asks for any of it: if there is no model,
// all is refuted. Then chunks of it are assumed. Each model that the solver finds is rotated, too. Chunks refute one
// target a query, so they are for formulas with few conflicts, as models of systems are.
func rotate(ctx context.Context, q *question) error {
	t, err := newTurner(ctx, q)
	if t == nil || err != nil {
		return err
	}
	if err := t.turn(ctx, firstTrust, t.settle); err != nil {
		return err
	}
	if err := t.turn(ctx, secondTrust, t.settle); err != nil { // what the first has refuted lets propagation refute more
		return err
	}
	shown := func() error {
		if err := t.load(); err != nil {
			return err
		}
		return t.turn(ctx, secondTrust, t.flip)
	}
	for !q.done() {
		status, err := q.askSome(ctx)
		if err != nil {
			return err
		}
		if status == backends.Sat {
			if err := shown(); err != nil {
				return err
			}
			if err := q.askChunks(ctx, chunk, mostConflicts, shown); err != nil {
				return err
			}
		}
	}
	return nil
}

const (
	chunk         = 100
	mostConflicts = 1000 // of a question that still assumes chunks
)

// turner settles a question's targets by turning models of its.
type turner struct {
	*question
	model  *rotation
	target []int  // by variable-1: its target + 1, or 0
	most   uint64 // literals that may be set

	flips, repairs trust
}

// trust is the number of attempts that may still fail: each that succeeds earns two more.
type trust int

func (t *trust) learn(succeeded bool) bool {
	if *t--; succeeded {
		*t += 3
	}
	return succeeded
}

// firstTrust is the trust in flips and in repairs in the first turn, and secondTrust in each later one. Where
// thousands of targets can be refuted, but not by propagation, none of them succeeds, and the solver refutes each at once.
const (
	firstTrust  = 128
	secondTrust = 16
)

// newTurner returns a turner with a model. Repairs make it of the last question's model, or of all variables
// false; if they fail, the solver supplies it. It returns nil if there is none.
func newTurner(ctx context.Context, q *question) (*turner, error) {
	r := q.propagator()
	if !q.closed && !r.Assume(q.assume) {
		q.refuted = true
		return nil, nil
	}
	w := q.rotation
	if w == nil {
		w = newRotation(q.problem, r)
	}
	t := &turner{question: q, model: w, target: make([]int, q.problem.AllVars()),
		most: w.work + 1<<20 + 64*uint64(len(q.targets))}
	for i, v := range q.vars[:q.named] {
		t.target[v-1] = i + 1
	}
	if w.begin(r) {
		q.satisfiable = true
		for v, value := range w.value {
			t.see(v, value)
		}
		t.keepRotated(w, true)
	} else {
		status, _, err := q.ask(ctx)
		if err != nil || status == backends.Unsat {
			return nil, err
		}
		if err := t.load(); err != nil {
			return nil, err
		}
	}
	q.rotation = w
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
func (t *turner) turn(ctx context.Context, trust trust, settle func(target int, l cnf.Lit)) error {
	t.flips, t.repairs = trust, trust
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
		settle(i, l)
	}
	return nil
}

// flip tries to show a target.
func (t *turner) flip(_ int, l cnf.Lit) {
	if t.flips > 0 && t.model.implied.isOpen(l) && t.flips.learn(t.model.flip(l)) {
		t.seeFlipped()
	}
}

// settle tries to show a target or to refute it.
func (t *turner) settle(i int, l cnf.Lit) {
	if implied := t.model.implied; !implied.isOpen(l) { // false: if it were true, the model would have shown it
		t.refute(i)
	} else if t.flips > 0 && t.flips.learn(t.model.flip(l)) {
		t.seeFlipped()
	} else if base := len(implied.trail); !implied.add(l) {
		t.refute(i)
		implied.refute(base)
	} else {
		if t.repairs > 0 && t.repairs.learn(t.model.repair(base)) {
			t.seeFlipped()
		}
		implied.undo(base)
	}
}

// seeFlipped shows the targets that the last flip or repair made true.
func (t *turner) seeFlipped() {
	for _, l := range t.model.flipped {
		t.see(int(l.Var())-1, l > 0)
	}
	t.keepRotated(t.model, false)
}
