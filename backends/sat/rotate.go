package sat

import (
	"context"

	"queens/backends"
	"queens/encode"
	"queens/encode/cnf"
)

// rotation finds models of a problem near the one it has, without a solver: it makes a literal true,
// with what follows by unit propagation, and repairs the constraints that this breaks. It keeps its
// model from one question to the next.
//
// This is model rotation (Belov and Marques-Silva, Accelerating MUS Extraction with Recursive Model
// Rotation, FMCAD 2011), with more than one variable flipped at a time.
type rotation struct {
	constraints []encode.Constraint
	reduce      *encode.Propagator
	value       []bool    // the model, by variable-1
	held        []int32   // by constraint: number of its literals that are true in the model
	broken      []int32   // constraints that may lack a true literal
	flipped     []cnf.Lit // literals that the last repair made true
}

// newRotation begins with all variables false, which may be no model.
func newRotation(p encode.Problem, r *encode.Propagator) *rotation {
	w := &rotation{constraints: p.Constraints, reduce: r, value: make([]bool, p.AllVars()),
		held: make([]int32, len(p.Constraints))}
	for i, c := range p.Constraints {
		for _, l := range c.Lits {
			if l < 0 {
				w.held[i]++
			}
		}
		if w.held[i] == 0 {
			w.broken = append(w.broken, int32(i))
		}
	}
	return w
}

// set makes a literal true in the model.
func (w *rotation) set(l cnf.Lit) {
	v := l.Var() - 1
	if w.value[v] == l.Positive() {
		return
	}
	w.value[v] = l.Positive()
	w.flipped = append(w.flipped, l)
	for _, i := range w.reduce.Of(l) {
		w.held[i]++
	}
	for _, i := range w.reduce.Of(l.Not()) {
		if w.held[i]--; w.held[i] == 0 {
			w.broken = append(w.broken, i)
		}
	}
}

// free reports whether the model remains one if a literal that is false in it becomes true.
func (w *rotation) free(l cnf.Lit) bool {
	for _, i := range w.reduce.Of(l.Not()) {
		if w.held[i] == 1 && w.constraints[i].Bound != encode.AtMostOne {
			return false
		}
	}
	for _, i := range w.reduce.Of(l) {
		if w.held[i] > 0 && w.constraints[i].Bound != encode.AtLeastOne {
			return false
		}
	}
	return true
}

// repair makes the literals true that the propagator has set from a place on, and then, in each
// constraint without a true literal, another one. It leaves the model as it was if that fails.
func (w *rotation) repair(from int) bool {
	r := w.reduce
	w.flipped = w.flipped[:0]
	for {
		for ; from < r.Len(); from++ {
			w.set(r.At(from))
		}
		last := len(w.broken) - 1
		if last < 0 {
			return true
		}
		i := w.broken[last]
		if c := w.constraints[i]; w.held[i] > 0 || c.Bound == encode.AtMostOne {
			w.broken = w.broken[:last]
		} else if !w.choose(c.Lits) {
			break
		}
	}
	for k := len(w.flipped) - 1; k >= 0; k-- {
		w.set(w.flipped[k].Not())
	}
	w.flipped, w.broken = w.flipped[:0], w.broken[:0]
	return false
}

// atMostOne reports whether the model violates no constraint that excludes literals.
func (w *rotation) atMostOne() bool {
	for i, c := range w.constraints {
		if w.held[i] > 1 && c.Bound != encode.AtLeastOne {
			return false
		}
	}
	return true
}

// choose makes the open literal true that breaks the fewest constraints, or false if it cannot be true.
func (w *rotation) choose(lits []cnf.Lit) bool {
	r := w.reduce
	best, fewest := cnf.Lit(0), 1<<30
	for _, l := range lits {
		if !r.IsOpen(l) {
			continue
		}
		breaks := 0
		for _, i := range r.Of(l.Not()) {
			if w.held[i] == 1 {
				if breaks++; breaks >= fewest {
					break
				}
			}
		}
		if breaks < fewest {
			best, fewest = l, breaks
		}
		if fewest == 0 {
			break
		}
	}
	before := r.Len()
	if r.Add(best) {
		return true
	}
	r.Undo(before)
	return r.Add(best.Not())
}

// rotate settles targets of a formula by rotation, and by unit propagation alone where that refutes
// them. A first model comes from the solver if repairs find none. What it does not settle, or not at
// the cost of some dozens of propagations for each target, is left open.
func (q *question) rotate(ctx context.Context) error {
	o, r := q.oracle, q.oracle.propagator()
	if !q.own && !r.Assume(q.assume) {
		q.refuted = true
		return nil
	}
	base := r.Len()
	w := o.rotation
	if w == nil {
		w = newRotation(o.problem, r)
	}
	found := w.repair(0) && (o.rotation != nil || w.atMostOne())
	r.Undo(base)
	if !found {
		status, _, err := q.ask(ctx)
		if err != nil || status == backends.Unsat {
			return err
		}
		for i := range base {
			w.set(r.At(i))
		}
		for i, v := range q.vars {
			l := v.Neg()
			if q.solver.Value(cnf.Var(i + 1)) {
				l = v.Pos()
			}
			w.set(l)
		}
		w.broken = w.broken[:0]
	}
	o.rotation, q.satisfiable = w, true
	number := make([]int, o.problem.AllVars()) // of the target that is the variable, from 1
	for i, v := range q.vars[:q.named] {
		number[v-1] = i + 1
		if !w.value[v-1] {
			i += q.named
		}
		q.see(i)
	}
	most := r.Set() + 1<<20 + 64*uint64(len(q.targets))
	for t, target := range q.targets {
		if !q.open[t] {
			continue
		}
		l := q.vars[target.Var()-1].Pos()
		if target < 0 {
			l = l.Not()
		}
		if !r.IsOpen(l) { // it is false: where it is true, the model has shown it
			q.refute(t)
			continue
		}
		if w.free(l) {
			w.set(l)
			q.see(t)
			continue
		}
		if err := ctx.Err(); err != nil || r.Set() > most {
			return err
		}
		if !r.Add(l) {
			r.Undo(base)
			q.refute(t)
			r.Add(l.Not())
			base = r.Len()
			continue
		}
		if w.repair(base) {
			for _, l := range w.flipped {
				switch i := number[l.Var()-1]; {
				case i > 0 && l > 0:
					q.see(i - 1)
				case i > 0:
					q.see(q.named + i - 1)
				}
			}
		}
		r.Undo(base)
	}
	return nil
}
