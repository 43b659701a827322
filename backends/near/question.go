package near

import (
	"context"
	"errors"
	"math"
	"slices"

	"queens/backends"
	"queens/backends/recall"
	"queens/encode/cnf"
)

// Question is a question about possible values. Its targets are the literals of all variables that are not auxiliary. A target
// is open until a solution shows it or it is refuted. [Question.Turn] settles open targets; between two turns another back-end
// may settle others. Meanwhile the question's Oracle must not be asked anything else.
type Question struct {
	oracle *Oracle
	*searcher
	assume []cnf.Lit
	memory *recall.Mover   // nil unless the question remembers
	known  *backends.Valid // the answer, if it was kept

	named       int    // variables that are not auxiliary
	open, shown []bool // by target: the positive literals come first, then the negative ones
	left        int    // open targets
	satisfiable bool
	refuted     bool // there is no solution

	begun bool // the model is a solution of this question
	next  int  // target of the present pass
	most  int  // contradictions of a search in this pass
}

// firstContradictions bounds the searches of the first pass over the targets. Each later pass allows twice as many: so a
// search restarts with the clauses that it has learned, and ends at last.
const firstContradictions = 100

// Begin begins a question. If remember is set, it uses what earlier questions have found, and keeps what it finds.
func (o *Oracle) Begin(assume []cnf.Lit, remember bool) (*Question, error) {
	if err := o.problem.CheckAssumptions(assume); err != nil {
		return nil, err
	}
	q := &Question{oracle: o, assume: assume, named: o.problem.NumVars(), most: firstContradictions}
	if remember {
		if o.memory == nil {
			o.memory = recall.NewMover(o.problem)
		}
		q.memory = o.memory
		if valid, known := q.memory.Ask(assume); known {
			q.known = &valid
			return q, nil
		}
	}
	q.searcher = o.start()
	q.left = 2 * q.named
	q.open, q.shown = slices.Repeat([]bool{true}, q.left), make([]bool, q.left)
	if !q.learner.assume(q.root, assume) {
		q.contradict()
		return q, nil
	}
	for _, l := range q.learner.trail {
		q.Refute(l.Not())
	}
	return q, nil
}

// contradict records that there is no solution.
func (q *Question) contradict() {
	q.refuted = true
	q.oracle.prove(q.assume)
}

// target returns the number of a literal among the targets; literal is its inverse.
func (q *Question) target(l cnf.Lit) int {
	if l > 0 {
		return int(l) - 1
	}
	return q.named - int(l) - 1
}

func (q *Question) literal(target int) cnf.Lit {
	if target < q.named {
		return cnf.Lit(target + 1)
	}
	return -cnf.Lit(target - q.named + 1)
}

// Done reports whether every target is settled.
func (q *Question) Done() bool { return q.known != nil || q.refuted || q.left == 0 && q.satisfiable }

// Satisfiable reports whether a solution has been found.
func (q *Question) Satisfiable() bool { return q.satisfiable }

// Left returns the number of open targets.
func (q *Question) Left() int { return q.left }

// Open returns the open targets.
func (q *Question) Open() []cnf.Lit {
	list := make([]cnf.Lit, 0, q.left)
	for t, open := range q.open {
		if open {
			list = append(list, q.literal(t))
		}
	}
	return list
}

// Refute records that no solution under the assumptions has a literal.
func (q *Question) Refute(l cnf.Lit) {
	if int(l.Var()) > q.named {
		return
	}
	if t := q.target(l); q.open[t] {
		q.oracle.prove(q.assume, l)
		q.settled(t, l)
	}
}

// RefuteOpen records that no solution has an open target or, if none has been found, that there is no solution.
func (q *Question) RefuteOpen() {
	if !q.satisfiable {
		q.contradict()
		return
	}
	for _, l := range q.Open() {
		q.Refute(l)
	}
}

// see records that some solution has a literal.
func (q *Question) see(l cnf.Lit) {
	if int(l.Var()) > q.named {
		return
	}
	t := q.target(l)
	if q.shown[t] = true; q.open[t] {
		q.settled(t, 0)
	}
}

// settled closes a target. refuted is its literal, or 0 if a solution has shown it.
func (q *Question) settled(target int, refuted cnf.Lit) {
	q.open[target] = false
	q.left--
	if q.oracle.Settled != nil {
		q.oracle.Settled(refuted, len(q.open)-q.left, len(q.open))
	}
}

// seeModel records that the model is a solution. It differs from the last one recorded in what was flipped, or
// anywhere if whole is set.
func (q *Question) seeModel(whole bool) {
	changed := q.model.Flipped()
	if q.satisfiable = true; whole {
		changed = make([]cnf.Lit, len(q.model.Values()))
		for i, is := range q.model.Values() {
			changed[i] = cnf.Var(i + 1).Lit(is)
		}
	}
	for _, l := range changed {
		q.see(l)
	}
	switch {
	case q.memory == nil:
	case whole:
		q.memory.Keep(changed)
	default:
		q.memory.Follow(changed)
	}
}

// Show takes over a solution that another back-end has found, and tries to flip each open target in it. An error means that the
// constraints are violated; then the question must not be used further.
func (q *Question) Show(ctx context.Context, solution []cnf.Lit) error {
	q.model.Start()
	for _, l := range solution {
		q.model.Set(l)
	}
	if q.model.Violated() {
		return errors.New("the solution shown violates a constraint")
	}
	q.model.Keep()
	q.begun, q.oracle.solved = true, true
	q.seeModel(true)
	for t, open := range q.open {
		if l := q.literal(t); open && q.open[t] && q.learner.isOpen(l) && ctx.Err() == nil && q.model.Flip(l) {
			q.seeModel(false)
		}
	}
	return nil
}

// Turn settles targets until all are settled, or none has been settled for patience steps. It returns the number of steps
// taken.
func (q *Question) Turn(ctx context.Context, patience uint64) (used uint64, err error) {
	if q.Done() {
		return 0, ctx.Err()
	}
	before := q.steps()
	defer func() { used = q.steps() - before }()
	if !q.begun {
		if err := q.begin(ctx, before+patience); err != nil || !q.begun {
			return 0, err
		}
	}
	for until := q.steps() + patience; !q.Done(); q.next++ {
		if q.next == len(q.open) {
			q.next, q.most = 0, 2*q.most
		}
		if !q.open[q.next] {
			continue
		}
		if err := ctx.Err(); err != nil || q.steps() >= until {
			return 0, err
		}
		left := q.left
		if err := q.try(ctx, q.literal(q.next), until); err != nil {
			return 0, err
		}
		if q.left < left {
			until = q.steps() + patience
		}
	}
	return 0, nil
}

// worthMoving is the most targets without a witness for which moving solutions does not pay.
const worthMoving = 8

// begin settles what the memory knows and finds a first solution, unless that settles all. If many targets have lost their
// witness, it first moves kept solutions to the assumptions.
func (q *Question) begin(ctx context.Context, until uint64) error {
	if m := q.memory; m != nil {
		q.satisfiable = q.satisfiable || m.Satisfiable()
		if lost := q.recall(m.Likely); len(lost) > worthMoving && q.oracle.solved {
			if !m.Satisfiable() {
				if err := q.complete(ctx, until); err != nil || !q.begun {
					return err
				}
			}
			if err := m.Move(q.learner.followed(), lost); err != nil {
				return err
			}
		}
		q.recall(m.Possible)
	}
	if !q.begun && !q.Done() {
		return q.complete(ctx, until)
	}
	return nil
}

// recall settles the open targets that the memory rules out or shows, and returns the others.
func (q *Question) recall(shows func(cnf.Lit) bool) (lost []cnf.Lit) {
	lost = make([]cnf.Lit, 0, q.left)
	for t, open := range q.open {
		switch l := q.literal(t); {
		case !open:
		case q.memory.Impossible(l):
			q.Refute(l)
		case shows(l):
			q.see(l)
		default:
			lost = append(lost, l)
		}
	}
	return lost
}

// complete looks for a solution near the model, which the last question has left.
func (q *Question) complete(ctx context.Context, until uint64) error {
	found, known, err := q.search(ctx, 0, bound{math.MaxInt, until})
	q.learner.retract()
	if found {
		q.begun, q.oracle.solved = true, true
		q.seeModel(true)
	} else if known {
		q.contradict()
	}
	return err
}

// try shows a target or refutes it, unless a bound ends the search.
func (q *Question) try(ctx context.Context, l cnf.Lit, until uint64) error {
	if !q.learner.isOpen(l) { // false: if it were true, the model would have shown it
		q.Refute(l)
		return nil
	}
	if q.model.Flip(l) {
		q.seeModel(false)
		return nil
	}
	if q.refutedAlike(l) {
		q.Refute(l)
		return nil
	}
	defer q.learner.retract()
	before := q.steps()
	found, known, err := q.search(ctx, l, bound{q.most, until})
	if found {
		q.seeModel(false)
		return q.others(ctx, q.steps()-before)
	} else if known {
		q.Refute(l)
	}
	return err
}

// refutedAlike reports whether a literal that is alike with l has been refuted, so that l is impossible, too. The negation of an
// assumption or of a fixed literal does not count: it says nothing about l.
func (q *Question) refutedAlike(l cnf.Lit) bool {
	return q.likeness(q.oracle.problem).find(l, func(other cnf.Lit) bool {
		if int(other.Var()) > q.named {
			return false
		}
		t := q.target(other)
		return !q.open[t] && !q.shown[t] && !slices.Contains(q.assume, other.Not()) &&
			!slices.Contains(q.oracle.problem.Fixed, other.Not())
	})
}

// others shows targets that go together with what the last search has decided. So what many of them need is decided once, and the
// model does not change to and fro. It ends when it has shown none for patience steps; looking at a target is a step.
func (q *Question) others(ctx context.Context, patience uint64) error {
	until := q.steps() + patience
	for k := range q.open {
		t := (q.next + k) % len(q.open)
		if !q.open[t] {
			continue
		}
		if until--; ctx.Err() != nil || q.steps() >= until {
			break
		}
		l := q.literal(t)
		if !q.learner.isOpen(l) {
			continue
		}
		found, known := q.model.Flip(l), false
		if !found {
			known = q.refutedAlike(l)
		}
		if !found && !known {
			var err error
			if found, known, err = q.search(ctx, l, bound{1, until}); err != nil {
				return err
			}
		}
		if found {
			q.seeModel(false)
			until = q.steps() + patience
		} else if known {
			q.Refute(l)
		}
	}
	return ctx.Err()
}

// Answer returns the answer of a question that is done.
func (q *Question) Answer() (valid backends.Valid) {
	if q.known != nil {
		return *q.known
	}
	if valid.Satisfiable = q.satisfiable && !q.refuted; valid.Satisfiable {
		valid.Possible = make([]cnf.Var, 0, q.named)
		for i := range q.named {
			if q.shown[i] {
				valid.Possible = append(valid.Possible, cnf.Var(i+1))
			}
			if !q.shown[q.named+i] {
				valid.Forced = append(valid.Forced, cnf.Var(i+1))
			}
		}
	}
	if q.memory != nil {
		q.memory.Answered(valid)
	}
	return valid
}
