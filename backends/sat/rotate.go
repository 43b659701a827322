package sat

import (
	"context"

	"queens/backends"
	"queens/encode/cnf"
)

// rotate settles targets of a formula without queries: it shows them by rotation, and refutes them by
// unit propagation. The solver supplies the first model if repairs find none. rotate leaves a target
// open if neither works, and stops once it has spent some dozens of propagations per target.
func rotate(ctx context.Context, q *question) error {
	r := q.propagator()
	if !q.own && !r.Assume(q.assume) {
		q.refuted = true
		return nil
	}
	base := r.Len()
	w := q.rotation
	if w == nil {
		w = newRotation(q.problem, r)
	}
	found := w.repair(0) && (q.rotation != nil || w.atMostOne())
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
			if q.asked.Value(cnf.Var(i + 1)) {
				l = v.Pos()
			}
			w.set(l)
		}
		w.broken = w.broken[:0]
	}
	q.rotation, q.satisfiable = w, true
	number := make([]int, q.problem.AllVars()) // by variable-1: its target + 1, or 0
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
		if !r.IsOpen(l) { // false: if it were true, the model would have shown it
			q.refute(t)
			continue
		}
		if err := ctx.Err(); err != nil || r.Set() > most {
			return err
		}
		if !w.flip(l) {
			if !r.Add(l) {
				r.Undo(base)
				q.refute(t)
				r.Add(l.Not())
				base = r.Len()
				continue
			}
			repaired := w.repair(base)
			r.Undo(base)
			if !repaired {
				continue
			}
		}
		for _, l := range w.flipped {
			switch i := number[l.Var()-1]; {
			case i > 0 && l > 0:
				q.see(i - 1)
			case i > 0:
				q.see(q.named + i - 1)
			}
		}
	}
	return nil
}
