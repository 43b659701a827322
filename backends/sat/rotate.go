package sat

import (
	"context"

	"queens/backends"
	"queens/encode"
	"queens/encode/cnf"
)

// rotation finds models of a problem near the one it has, without a solver: it makes a literal true and
// repairs the constraints that this breaks. It keeps its model from one question to the next.
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
	locked      []uint32  // by variable-1: the last flip that has set it, as repairs counts
	repairs     uint32    // calls of flip and repair
}

// newRotation begins with all variables false, which may be no model.
func newRotation(p encode.Problem, r *encode.Propagator) *rotation {
	w := &rotation{constraints: p.Constraints, reduce: r, value: make([]bool, p.AllVars()),
		held: make([]int32, len(p.Constraints)), locked: make([]uint32, p.AllVars())}
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

// flip makes a literal true, and then, in each constraint that lacks a true literal, another one. It
// sets no variable twice, draws no consequences and costs what it changes. If it fails, the model is as
// it was.
func (w *rotation) flip(l cnf.Lit) bool {
	w.begin()
	for ok := w.lock(l); ok; {
		lits := w.lacking()
		if lits == nil {
			return true
		}
		ok = w.lock(w.cheapest(lits))
	}
	w.restore()
	return false
}

// repair is like flip for the literals that the propagator has set from a place on, and draws the
// consequences of each that it adds. It costs more, and finds more.
func (w *rotation) repair(from int) bool {
	w.begin()
	for ok := true; ok; {
		for ; from < w.reduce.Len(); from++ {
			w.set(w.reduce.At(from))
		}
		lits := w.lacking()
		if lits == nil {
			return true
		}
		ok = w.add(w.cheapest(lits))
	}
	w.restore()
	return false
}

// begin forgets what the last repair did.
func (w *rotation) begin() {
	w.flipped = w.flipped[:0]
	w.repairs++
}

// restore takes back what has been flipped.
func (w *rotation) restore() {
	for k := len(w.flipped) - 1; k >= 0; k-- {
		w.set(w.flipped[k].Not())
	}
	w.flipped, w.broken = w.flipped[:0], w.broken[:0]
}

// lacking returns a constraint that lacks a true literal, nil if there is none.
func (w *rotation) lacking() []cnf.Lit {
	for last := len(w.broken) - 1; last >= 0; last-- {
		i := w.broken[last]
		if c := w.constraints[i]; w.held[i] == 0 && c.Bound != encode.AtMostOne {
			return c.Lits
		}
		w.broken = w.broken[:last]
	}
	return nil
}

const mostFlips = 64 // repairs that change more seldom succeed

// lock makes a literal true for the rest of a flip, and those false that exclude it. It returns false
// if there is none, if one of these may not be flipped, or if the flip has become too large.
func (w *rotation) lock(l cnf.Lit) bool {
	if l == 0 || len(w.flipped) == mostFlips {
		return false
	}
	w.locked[l.Var()-1] = w.repairs
	w.set(l)
	for _, i := range w.reduce.Of(l) {
		if w.held[i] < 2 || w.constraints[i].Bound == encode.AtLeastOne {
			continue
		}
		for _, other := range w.constraints[i].Lits {
			if other == l || w.value[other.Var()-1] != other.Positive() {
				continue
			}
			if !w.mayFlip(other) || !w.lock(other.Not()) {
				return false
			}
		}
	}
	return true
}

// mayFlip reports whether neither the propagator nor the present flip has set a literal's variable.
func (w *rotation) mayFlip(l cnf.Lit) bool {
	return w.locked[l.Var()-1] != w.repairs && w.reduce.IsOpen(l)
}

// cheapest returns the literal that may become true and breaks the fewest constraints, 0 if there is
// none.
func (w *rotation) cheapest(lits []cnf.Lit) cnf.Lit {
	best, fewest := cnf.Lit(0), 1<<30
	for _, l := range lits {
		if !w.mayFlip(l) {
			continue
		}
		breaks := 0
		for _, i := range w.reduce.Of(l.Not()) {
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
	return best
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

// add propagates a literal, or its negation if it cannot be true, and reports whether either can.
func (w *rotation) add(l cnf.Lit) bool {
	before := w.reduce.Len()
	if w.reduce.Add(l) {
		return true
	}
	w.reduce.Undo(before)
	return w.reduce.Add(l.Not())
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
