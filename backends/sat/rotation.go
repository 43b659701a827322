package sat

import (
	"queens/encode"
	"queens/encode/cnf"
)

// rotation changes one model of a problem into others, without a solver: it makes a literal true and
// repairs the constraints that this violates. It keeps its model from one question to the next.
//
// This is model rotation (Belov and Marques-Silva, Accelerating MUS Extraction with Recursive Model
// Rotation, FMCAD 2011), but one rotation may flip several variables.
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

// flip makes a literal true. Then it makes a literal true in each constraint that lacks one. It sets no
// variable twice and does not propagate, so its cost is proportional to the change. If it fails, it
// restores the model.
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

// repair makes the literals true that the propagator has set from place from on. Then it repairs the
// model as flip does, but propagates each literal that it adds. It costs more than flip, and succeeds
// more often.
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

// restore undoes all flips of the last repair.
func (w *rotation) restore() {
	for k := len(w.flipped) - 1; k >= 0; k-- {
		w.set(w.flipped[k].Not())
	}
	w.flipped, w.broken = w.flipped[:0], w.broken[:0]
}

// lacking returns the literals of a constraint that lacks a true one, nil if no constraint does.
func (w *rotation) lacking() []cnf.Lit {
	for last := len(w.broken) - 1; last >= 0; last-- {
		i := w.broken[last]
		if c := w.constraints[i]; w.held[i] == 0 && c.Least > 0 {
			return c.Lits
		}
		w.broken = w.broken[:last]
	}
	return nil
}

const mostFlips = 64 // a repair that needs more seldom succeeds

// lock makes a literal true for the rest of a flip, and makes the literals that exclude it false. It
// returns false if the literal is 0, if it may not flip one of the others, or after [mostFlips] flips.
func (w *rotation) lock(l cnf.Lit) bool {
	if l == 0 || len(w.flipped) == mostFlips {
		return false
	}
	w.locked[l.Var()-1] = w.repairs
	w.set(l)
	for _, i := range w.reduce.Of(l) {
		if w.held[i] < 2 || !w.constraints[i].Excludes() {
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

// mayFlip reports whether the literal's variable is free: neither the propagator nor this flip has set it.
func (w *rotation) mayFlip(l cnf.Lit) bool {
	return w.locked[l.Var()-1] != w.repairs && w.reduce.IsOpen(l)
}

// cheapest returns the literal, of those that may flip, that violates the fewest constraints when it
// becomes true; 0 if none may flip.
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
		if w.held[i] > 1 && c.Excludes() {
			return false
		}
	}
	return true
}

// add propagates a literal or, if that fails, its negation. It reports whether one of them succeeded.
func (w *rotation) add(l cnf.Lit) bool {
	before := w.reduce.Len()
	if w.reduce.Add(l) {
		return true
	}
	w.reduce.Undo(before)
	return w.reduce.Add(l.Not())
}
