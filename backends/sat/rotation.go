package sat

import (
	"context"
	"slices"

	"queens/encode"
	"queens/encode/cnf"
)

// rotation changes one model of a problem into others, without a solver: it makes a literal true and
// repairs the constraints that this violates. It keeps its model from one question to the next.
//
// A flip is model rotation (Belov and Marques-Silva, Accelerating MUS Extraction with Recursive Model
// Rotation, FMCAD 2011), but it may flip several variables. A search learns clauses as a solver does, but decides only
// where the model is violated, so it ends near the model that it began with: a solver gives each variable a value.
type rotation struct {
	constraints []encode.Constraint
	held        []held    // by constraint
	in          [][]int32 // by literal: the constraints that contain it
	limited     [][]int32 // by literal: those that its truth can violate
	value       []bool    // the model, by variable-1
	broken      []broken  // constraints that may be violated
	flipped     []cnf.Lit // literals that the last flip or search made true
	locked      []uint32  // by variable-1: the last flip that has set it, as repairs counts
	repairs     uint32    // calls of flip and search
	work        uint64    // literals set by flips and searches

	// implied decides what the question assumes, and knows what follows. All models have its values.
	implied *learner
}

// held says how many literals of a constraint are true in the model, and how many must and may be. The sum of those
// that are true names the last one that is left, so that a long constraint need not be gone through for it.
type held struct{ trues, least, most, sum int32 }

func (h held) violated() bool { return h.trues < h.least || h.trues > h.most }

// broken is a constraint that may be violated. If a literal that became true was one too many, by is that literal; else
// by is 0.
type broken struct {
	constraint int32
	by         cnf.Lit
}

// newRotation begins with all variables false, which may be no model.
func newRotation(p encode.Problem, r *encode.Propagator) *rotation {
	w := &rotation{constraints: p.Constraints, held: make([]held, len(p.Constraints)), in: make([][]int32, 2*p.AllVars()),
		limited: make([][]int32, 2*p.AllVars()), value: make([]bool, p.AllVars()), locked: make([]uint32, p.AllVars()),
		implied: newLearner(p.AllVars(), p.Constraints)}
	limited := make([]int32, 2*p.AllVars())
	for i, c := range p.Constraints {
		h := held{0, int32(c.Least), int32(c.Most), 0}
		for _, l := range c.Lits {
			if l < 0 {
				h.trues++
				h.sum += int32(l)
			}
			if c.Limits() {
				limited[l.Index()]++
			}
		}
		if w.held[i] = h; h.violated() {
			w.broken = append(w.broken, broken{int32(i), 0})
		}
	}
	carve(w.limited, limited)
	for i, c := range p.Constraints {
		for _, l := range c.Lits {
			w.in[l.Index()] = r.Of(l)
			if c.Limits() {
				w.limited[l.Index()] = append(w.limited[l.Index()], int32(i))
			}
		}
	}
	return w
}

// begin starts on a question: it looks for a model of the question near the last model. If it finds none, known says
// whether there is none; if that is open, the caller sets a model of its own and calls accept.
func (w *rotation) begin(ctx context.Context, r *encode.Propagator, assume []cnf.Lit) (found, known bool) {
	if !w.implied.assume(r, assume) {
		return false, true
	}
	return w.search(ctx, 0)
}

// accept says that the values set are a model. It returns false if they violate a constraint.
func (w *rotation) accept() bool {
	defer func() { w.broken = w.broken[:0] }()
	return !slices.ContainsFunc(w.broken, func(b broken) bool { return w.held[b.constraint].violated() })
}

// set makes a literal true in the model.
func (w *rotation) set(l cnf.Lit) {
	v := l.Var() - 1
	if w.value[v] == l.Positive() {
		return
	}
	w.work++
	w.value[v] = l.Positive()
	w.flipped = append(w.flipped, l)
	for _, i := range w.in[l.Index()] {
		h := &w.held[i]
		h.sum += int32(l)
		if h.trues++; h.trues > h.most {
			w.broken = append(w.broken, broken{i, l})
		}
	}
	for _, i := range w.in[l.Not().Index()] {
		h := &w.held[i]
		h.sum -= int32(l.Not())
		if h.trues--; h.trues < h.least {
			w.broken = append(w.broken, broken{i, 0})
		}
	}
}

// A flip that changes more literals, or touches more constraints, seldom succeeds. The limit of constraints
// keeps a variable that nearly all of them contain, as models of systems have, from being flipped again and again.
const (
	mostFlips   = 64
	mostTouched = 1000
)

// flip makes a literal true. Then it changes a literal in each constraint that is violated. It sets no
// variable twice and does not propagate, so its cost is proportional to the change. If it fails, it
// restores the model.
func (w *rotation) flip(l cnf.Lit) bool {
	w.start()
	for touched := 0; len(w.flipped) < mostFlips && touched < mostTouched; {
		w.locked[l.Var()-1] = w.repairs
		w.set(l)
		next, violated := w.next()
		if !violated {
			return true
		}
		if next == 0 {
			break
		}
		l = next
		touched += len(w.in[l.Index()]) + len(w.in[l.Not().Index()])
	}
	w.restore()
	return false
}

// mostContradictions bounds a search. Most searches on models of systems meet fewer than ten, and none reaches the bound.
const mostContradictions = 100

// search looks for a model with a literal, or for any model if it is 0. It decides for the literal, then for one in
// a constraint that is violated, until none is; the model takes over what it decides and what follows. A contradiction
// teaches it a clause, and takes decisions back, but not the values that the model has taken over. If it fails, it
// restores the model, and known says that there is no such model.
func (w *rotation) search(ctx context.Context, l cnf.Lit) (found, known bool) {
	w.start()
	r := w.implied
	defer r.retract()
	from := len(r.trail)
	if l == 0 {
		from = 0 // the model may be one of another question
	}
	for contradictions := 0; contradictions < mostContradictions && ctx.Err() == nil; {
		if !r.propagate() {
			contradictions++
			if known = !r.learn(); known {
				break
			}
			from = min(from, len(r.trail)-1)
			continue
		}
		if known = l != 0 && r.value[l.Index()] < 0; known {
			break
		}
		w.work += uint64(len(r.trail) - from)
		for ; from < len(r.trail); from++ {
			w.set(r.trail[from])
		}
		next, violated := l, true
		if l == 0 || !r.isOpen(l) {
			next, violated = w.next()
		}
		if !violated {
			w.flipped = slices.DeleteFunc(w.flipped, func(l cnf.Lit) bool { return w.value[l.Var()-1] != l.Positive() })
			return true, true
		}
		if next == 0 { // a constraint contains a literal twice, or with its negation
			break
		}
		r.decide(next)
	}
	w.restore()
	return false, known
}

// start forgets what the last flip or search did.
func (w *rotation) start() {
	w.flipped = w.flipped[:0]
	w.repairs++
}

// restore undoes what the last flip or search did to the model.
func (w *rotation) restore() {
	for k := len(w.flipped) - 1; k >= 0; k-- {
		w.set(w.flipped[k].Not())
	}
	w.flipped = w.flipped[:0]
}

// next returns the literal to make true in a constraint that is violated: of those that help and may
// change, the one that violates the fewest other constraints; 0 if none may change.
func (w *rotation) next() (l cnf.Lit, violated bool) {
	for last := len(w.broken) - 1; last >= 0; last-- {
		b := w.broken[last]
		h := w.held[b.constraint]
		switch {
		case h.trues == 2 && h.most == 1 && b.by != 0 && w.value[b.by.Var()-1] == b.by.Positive(): // it and one more
			both := [2]cnf.Lit{cnf.Lit(h.sum) - b.by, b.by}
			return w.cheapest(both[:], false), true
		case h.violated():
			return w.cheapest(w.constraints[b.constraint].Lits, h.trues < h.least), true
		}
		w.broken = w.broken[:last]
	}
	return 0, false
}

// cheapest returns the literal among lits, or if more is false among their negations, that violates the
// fewest constraints when it becomes true. It leaves out those that are true or may not change; it returns 0 if
// there are no others.
func (w *rotation) cheapest(lits []cnf.Lit, more bool) cnf.Lit {
	best, fewest := cnf.Lit(0), 1<<30
	for _, l := range lits {
		if !more {
			l = l.Not()
		}
		if v := l.Var() - 1; w.value[v] == l.Positive() || w.locked[v] == w.repairs || !w.implied.isOpen(l) {
			continue
		}
		if breaks := w.breaks(l, fewest); breaks < fewest {
			if best, fewest = l, breaks; breaks == 0 {
				break
			}
		}
	}
	return best
}

// breaks returns the number of constraints that become violated when a literal becomes true, at most limit. For
// a literal whose constraints are not counted, since there are too many, it returns all of them.
func (w *rotation) breaks(l cnf.Lit, limit int) (number int) {
	if all := len(w.in[l.Not().Index()]) + len(w.limited[l.Index()]); all > mostTouched {
		return all
	}
	for _, i := range w.in[l.Not().Index()] {
		if h := &w.held[i]; h.trues == h.least {
			if number++; number >= limit {
				return number
			}
		}
	}
	for _, i := range w.limited[l.Index()] {
		if h := &w.held[i]; h.trues == h.most {
			if number++; number >= limit {
				return number
			}
		}
	}
	return number
}
