package sat

import (
	"context"
	"slices"

	"queens/backends"
	"queens/backends/recall"
	"queens/encode"
	"queens/encode/cnf"
)

// question is one question about possible variables, as the methods see it: a solver and
// target literals. A method shows each target in some model, or refutes it. The targets are
// the variables, on the residual formula those that it leaves open. If the possible variables
// do not determine the forced ones, the negations of the variables are targets, too.
type question struct {
	*source
	assume []cnf.Lit // in every query: the question's assumptions on the whole problem, none on the residual
	given  []cnf.Lit // the question's assumptions
	asked  Solver    // answers this question; made when first asked
	create func() Solver
	own    bool      // the solver serves only this question
	vars   []cnf.Var // the problem's variables, by the solver's variable - 1, auxiliary ones last
	named  int       // number of vars that are not auxiliary
	fixed  []cnf.Var // true in every solution, by unit propagation alone
	closed bool      // the Propagator holds what follows from the assumptions

	targets     []cnf.Lit // literals of the solver
	open        []bool    // by target: neither shown nor refuted
	shown       []bool    // by target: true in some model
	satisfiable bool
	refuted     bool    // there is no solution
	images      []image // of the targets under the question's symmetries

	flips   bool           // each model is changed by flips
	numbers []int32        // by variable-1: its place in vars, counted from 1; nil before the first flip
	memory  *recall.Memory // keeps solutions for later questions; nil unless the method remembers
	changed []cnf.Lit      // memory for a solution

	steps, used uint64 // bound of the next query, 0 for none; steps of the last one

	under                     []cnf.Lit // memory for a query's assumptions
	solves, models, conflicts int64
}

// newQuestion begins a question, on the clauses that f names.
func newQuestion(o *source, assume []cnf.Lit, f Formula) *question {
	q := &question{source: o, given: assume}
	var r *encode.Propagator
	if f != Whole {
		if r = o.propagator(); !r.Assume(assume) {
			q.refuted = true
			return q
		}
		q.closed = true
	}
	if f != Residual {
		q.assume, q.create, q.vars = assume, o.solver, o.vars()
	} else {
		base := r.Len()
		q.vars, q.own = r.AppendOpen(make([]cnf.Var, 0, o.problem.AllVars()-base)), true
		q.create = func() Solver {
			r.Undo(base)
			f, _ := r.Residual(o.encoding)
			return o.Make(f)
		}
		for i, value := range r.Values() {
			if value > 0 {
				q.fixed = append(q.fixed, cnf.Var(i+1))
			}
		}
		q.satisfiable = len(q.vars) == 0
	}
	q.named, _ = slices.BinarySearch(q.vars, cnf.Var(o.problem.NumVars()+1))
	q.targets = make([]cnf.Lit, 0, 2*q.named)
	for i := range q.named {
		q.targets = append(q.targets, cnf.Lit(i+1))
	}
	if o.cover == nil {
		for i := range q.named {
			q.targets = append(q.targets, -cnf.Lit(i+1))
		}
	}
	q.open, q.shown = slices.Repeat([]bool{true}, len(q.targets)), make([]bool, len(q.targets))
	if f == Closed {
		for v, value := range r.Values()[:q.named] {
			switch {
			case value < 0:
				q.open[v] = false
			case value > 0 && o.cover == nil:
				q.open[q.named+v] = false
			}
		}
	}
	return q
}

// symmetries returns the images of the variables under the symmetries of the square, other than the
// identity, that preserve a question about a board of queens; none for other problems.
func (q *question) symmetries() []image {
	if !q.problem.IsQueens() {
		return nil
	}
	value := q.propagator().Values() // the residual board decides
	if !q.own {
		value = q.problem.Values(q.assume)
	}
	return imagesOn(q.problem.N, value, q.vars)
}

// start makes the solver if the question has none yet.
func (q *question) start() {
	if q.asked != nil {
		return
	}
	q.asked = q.create()
	for t, open := range q.open {
		if q.own && !open && !q.shown[t] {
			q.asked.Add(q.targets[t].Not())
		}
	}
}

// close closes the solver if it serves only this question.
func (q *question) close() error {
	if q.own && q.asked != nil {
		return q.asked.Close()
	}
	return nil
}

// done reports whether every target is settled.
func (q *question) done() bool {
	return q.refuted || q.satisfiable && !slices.Contains(q.open, true)
}

// unseen lists the open targets, in rising order.
func (q *question) unseen() []int {
	var list []int
	for t, open := range q.open {
		if open {
			list = append(list, t)
		}
	}
	return list
}

// ask solves with the targets assumed true. After Unsat, failed holds the targets in the
// core; it is empty if there is no model other than those already seen.
func (q *question) ask(ctx context.Context, targets ...int) (status backends.Status, failed []int, err error) {
	q.start()
	q.under = append(q.under[:0], q.assume...)
	for _, t := range targets {
		q.under = append(q.under, q.targets[t])
	}
	before := conflictsOf(q.asked)
	status, core, used, err := solveWithin(ctx, q.asked, q.under, q.steps)
	q.used = used
	q.conflicts += conflictsOf(q.asked) - before
	if err != nil {
		return status, nil, err
	}
	q.solves++
	if status == backends.Unknown {
		return status, nil, nil
	}
	if status == backends.Sat {
		q.models++
		q.satisfiable = true
		return status, nil, nil
	}
	inCore := make(map[cnf.Lit]bool, len(core))
	for _, l := range core {
		inCore[l] = true
	}
	for _, t := range targets {
		if inCore[q.targets[t]] {
			failed = append(failed, t)
		}
	}
	if len(failed) == 0 { // all models have been seen
		q.refuted = !q.satisfiable
		clear(q.open)
	}
	return status, failed, nil
}

// see marks a target as true in some model.
func (q *question) see(t int) { q.shown[t], q.open[t] = true, false }

// show marks the targets that are true in the last model, and their images under the
// symmetries, as shown. If the method says so, it flips the model.
func (q *question) show(ctx context.Context) error {
	q.changed = q.changed[:0]
	if q.own { // the solver knows only the residual formula
		for i, value := range q.propagator().Values() {
			if value != 0 {
				q.changed = append(q.changed, cnf.Var(i+1).Lit(value > 0))
			}
		}
	}
	for i, v := range q.vars {
		q.changed = append(q.changed, v.Lit(q.asked.Value(cnf.Var(i+1))))
	}
	if q.memory != nil {
		q.memory.Keep(q.changed)
	}
	for i := range q.named {
		if q.asked.Value(cnf.Var(i + 1)) {
			q.see(i)
			for _, to := range q.images {
				q.see(int(to[i]))
			}
		} else if q.cover == nil {
			q.see(q.named + i)
		}
	}
	if q.flips {
		return q.flip(ctx)
	}
	return nil
}

// refute marks a target as true in no model. A solver that serves only this question
// gets the target's negation as a clause.
func (q *question) refute(t int) {
	q.open[t] = false
	if q.own && q.asked != nil {
		q.asked.Add(q.targets[t].Not())
	}
}

func (q *question) work() backends.Work {
	work := backends.Work{{Name: "solves", N: q.solves}, {Name: "models", N: q.models}}
	if !q.Silent {
		work[2] = backends.Count{Name: "conflicts", N: q.conflicts}
	}
	return work
}

// conflictsOf returns a solver's conflicts so far; 0 if it does not count them.
func conflictsOf(s Solver) int64 {
	if c, counts := s.(counting); counts {
		return c.Conflicts()
	}
	return 0
}

// literal returns the problem's literal for a target.
func (q *question) literal(t int) cnf.Lit {
	target := q.targets[t]
	return q.vars[target.Var()-1].Lit(target.Positive())
}

// answer returns the possible and forced variables found.
func (q *question) answer() backends.Valid {
	valid := backends.Valid{Satisfiable: q.satisfiable && !q.refuted, Work: q.work()}
	if !valid.Satisfiable {
		return valid
	}
	auxiliary := func(v cnf.Var) bool { return int(v) > q.problem.NumVars() }
	fixed := slices.DeleteFunc(slices.Clone(q.fixed), auxiliary)
	valid.Possible = slices.Clone(fixed)
	for i, v := range q.vars[:q.named] {
		if q.shown[i] {
			valid.Possible = append(valid.Possible, v)
		}
	}
	slices.Sort(valid.Possible)
	if q.cover != nil {
		valid.Forced = q.cover.Forced(valid.Possible)
		return valid
	}
	valid.Forced = fixed
	for i, v := range q.vars[:q.named] {
		if !q.shown[q.named+i] {
			valid.Forced = append(valid.Forced, v)
		}
	}
	slices.Sort(valid.Forced)
	return valid
}
