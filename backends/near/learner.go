package near

import (
	"slices"
	"sort"

	"queens/encode"
	"queens/encode/cnf"
)

// learner is a watcher that makes decisions, and learns a clause from each contradiction that they lead to. The clauses
// follow from the constraints alone, so they stay for later questions.
type learner struct {
	*watcher
	starts  []int // by decision: its place in the trail
	assumed int   // number of the decisions that are the question's assumptions
	dead    bool  // the problem has no solution

	units   []cnf.Lit // learned clauses of one literal
	learned []cnf.Lit // of learned clauses of two, the negations of both
	long    []int32   // learned clauses of three literals or more: their places in clauses
	own     int       // length of clauses without those learned
	seen    []bool    // by variable-1: learn has met it
	clause  []cnf.Lit // memory of learn
	kept    []cnf.Lit // memory of minimized
	last    cnf.Lit   // propagated just before the last contradiction, if it had one decision beyond the assumptions; else 0
	tried   []bool    // by literal: refuteLast has tried it under these assumptions
	proof   *proof    // of what it learns; nil for none

	decisions, conflicts, learnedClauses int64
}

func newLearner(vars int, constraints []encode.Constraint) *learner {
	w := newWatcher(vars, constraints)
	return &learner{watcher: w, own: len(w.clauses), seen: make([]bool, vars), tried: make([]bool, 2*vars)}
}

// mostLearned bounds the literals of learned clauses, 4 bytes each: see forget. A session on a model with 20,000 variables
// learns some 10,000.
const mostLearned = 1 << 20

// assume takes back all decisions and decides the assumptions. What follows from the problem alone comes from the
// Propagator. assume returns false if there is a contradiction.
func (w *learner) assume(r *encode.Propagator, assumptions []cnf.Lit) (consistent bool) {
	w.back(0)
	clear(w.tried)
	if w.assumed = 0; w.dead {
		return false
	}
	consistent = true
	for i := len(w.trail); i < r.Root(); i++ {
		w.push(r.At(i), reason{})
	}
	for _, l := range w.units {
		consistent = w.push(l, reason{}) && consistent
	}
	consistent = consistent && w.propagate()
	w.dead = !consistent
	for _, l := range assumptions {
		if consistent && w.value[l.Index()] < 0 {
			w.no, w.conflict, consistent = l, reason{}, false
		}
		if consistent && w.isOpen(l) {
			w.decide(l)
			consistent = w.propagate()
		}
	}
	w.assumed = len(w.starts)
	return consistent
}

// decide makes a literal true without a reason. Nothing follows before the next propagate.
func (w *learner) decide(l cnf.Lit) {
	w.starts = append(w.starts, len(w.trail))
	w.push(l, reason{})
}

// followed returns what the assumptions make true, and they themselves, without what is true in all solutions.
func (w *learner) followed() []cnf.Lit {
	if len(w.starts) == 0 {
		return nil
	}
	return w.trail[w.starts[0]:]
}

// retract takes back the decisions after the assumptions.
func (w *learner) retract() { w.back(w.assumed) }

// back keeps the first decisions and takes back the others.
func (w *learner) back(keep int) {
	if len(w.starts) > keep {
		w.undo(w.starts[keep])
		w.starts = w.starts[:keep]
	}
}

// learn learns a clause from the contradiction that propagate has found, and takes decisions back until the clause
// makes a literal true. It returns false if the assumptions alone lead to the contradiction.
//
// It keeps the first keep decisions. If these are more than the assumptions, the literal stays open, and propagation may miss it
// later, but never misses a contradiction with the clause.
//
// The clause ends at the first unique implication point (Marques-Silva and Sakallah, GRASP, IEEE Transactions on Computers
// 48, 1999): of what follows from the last decision, it has one literal.
func (w *learner) learn(keep int) bool {
	w.conflicts++
	if len(w.starts) == w.assumed {
		w.dead = w.assumed == 0
		return false
	}
	if w.last = 0; len(w.starts) == w.assumed+1 {
		w.last = w.trail[w.done-1]
	}
	last := int32(w.starts[len(w.starts)-1])
	clause, open := append(w.clause[:0], 0), 0
	meet := func(l cnf.Lit) { // l is true
		v := l.Var() - 1
		switch {
		case w.seen[v] || int(w.place[v]) < w.starts[0]: // or true in all solutions
			return
		case w.place[v] >= last:
			open++
		default:
			clause = append(clause, l.Not())
		}
		w.seen[v] = true
	}
	if w.no != 0 {
		meet(w.no.Not())
	}
	w.explain(w.no, w.conflict, len(w.trail), meet)
	for k := len(w.trail) - 1; clause[0] == 0; k-- {
		l := w.trail[k]
		if v := l.Var() - 1; w.seen[v] {
			w.seen[v] = false
			if open--; open == 0 {
				clause[0] = l.Not()
			} else {
				w.explain(l, w.why[v], k, meet)
			}
		}
	}
	w.clause, clause = clause, w.minimized(clause)
	w.learnedClauses++
	w.proof.add(clause...)
	w.attach(clause, keep)
	if len(w.clauses)-w.own+len(w.learned) > mostLearned {
		w.forget()
	}
	return true
}

// minimized returns a learned clause without the literals whose negation follows from those of others (Sorensson and Biere,
// Minimizing learned clauses, SAT 2009: local minimization). seen is set for all but the first.
func (w *learner) minimized(clause []cnf.Lit) []cnf.Lit {
	kept := w.kept[:0]
	for i, l := range clause {
		v := l.Var() - 1
		redundant := i > 0 && w.why[v] != reason{}
		if redundant {
			w.explain(l.Not(), w.why[v], int(w.place[v]), func(x cnf.Lit) {
				redundant = redundant && (w.seen[x.Var()-1] || int(w.place[x.Var()-1]) < w.starts[0])
			})
		}
		if !redundant {
			kept = append(kept, l)
		}
	}
	for _, l := range clause {
		w.seen[l.Var()-1] = false
	}
	w.kept = kept
	return kept
}

// refuteLast tries the literal in w.last on its own, once under the same assumptions. If that leads to a contradiction, a literal
// is learned to be false, and so are those that imply it, which may be thousands.
func (w *learner) refuteLast() {
	if l := w.last; l != 0 && w.isOpen(l) && !w.tried[l.Index()] {
		w.tried[l.Index()] = true
		w.decide(l)
		if !w.propagate() {
			w.learn(w.assumed)
		}
		w.retract()
	}
}

// blame returns the assumptions that lead to the contradiction that assume has found, or learn under them alone: none if the
// problem has no solution. Then only back and assume may be called.
func (w *learner) blame() (core []cnf.Lit) {
	if w.dead {
		return nil
	}
	if w.no != 0 && w.conflict == (reason{}) {
		core = append(core, w.no) // an assumption
	}
	if len(w.starts) == 0 {
		return core
	}
	meet := func(l cnf.Lit) { w.seen[l.Var()-1] = int(w.place[l.Var()-1]) >= w.starts[0] }
	if w.no != 0 {
		meet(w.no.Not())
	}
	w.explain(w.no, w.conflict, len(w.trail), meet)
	for k := len(w.trail) - 1; k >= w.starts[0]; k-- {
		l := w.trail[k]
		if v := l.Var() - 1; w.seen[v] {
			w.seen[v] = false
			if _, decision := slices.BinarySearch(w.starts, k); decision {
				core = append(core, l)
			} else {
				w.explain(l, w.why[v], k, meet)
			}
		}
	}
	return core
}

// explain calls meet for the true literals that l follows from, all of them before its place in the trail; if l is 0, for
// those that violate a count.
func (w *learner) explain(l cnf.Lit, by reason, place int, meet func(cnf.Lit)) {
	switch by.to {
	case byPair:
		meet(cnf.Lit(by.from))
	case byMany, byFew:
		for _, x := range w.counts[by.from].lits {
			if by.to == byFew {
				x = x.Not()
			}
			if w.value[x.Index()] > 0 && int(w.place[x.Var()-1]) < place {
				meet(x)
			}
		}
	default:
		for _, x := range w.clauses[by.from:by.to] {
			if x != l {
				meet(x.Not())
			}
		}
	}
}

// attach adds a clause. It takes decisions back until only the clause's first literal is open, and makes that true, but keeps
// the first keep decisions: see learn.
func (w *learner) attach(clause []cnf.Lit, keep int) {
	placeOf := func(l cnf.Lit) int { return int(w.place[l.Var()-1]) }
	propagates := keep == w.assumed
	if len(clause) > 1 {
		high := 1 // the literal that becomes open next
		for i := range clause {
			if i > high && placeOf(clause[i]) > placeOf(clause[high]) {
				high = i
			}
		}
		clause[1], clause[high] = clause[high], clause[1]
		keep = max(keep, sort.SearchInts(w.starts, placeOf(clause[1])+1))
	}
	w.back(keep)
	by := reason{}
	switch len(clause) {
	case 1:
		w.units = append(w.units, clause[0])
	case 2:
		by = reason{int32(clause[1].Not()), byPair}
		for i, l := range clause {
			w.pairs[l.Not().Index()] = append(w.pairs[l.Not().Index()], clause[1-i])
			w.learned = append(w.learned, l.Not())
		}
	default:
		by = reason{int32(len(w.clauses)), int32(len(w.clauses) + len(clause))}
		w.clauses = append(w.clauses, clause...)
		w.long = append(w.long, by.from)
		w.watchFirst(by)
	}
	if propagates {
		w.push(clause[0], by)
	}
}

// forget drops the older half of the learned clauses of three literals or more, except reasons of the trail. It drops all of
// two literals if they alone take half of the memory, and never those of one.
func (w *learner) forget() {
	if len(w.learned) > mostLearned/2 {
		for _, l := range w.learned {
			w.pairs[l.Index()] = w.pairs[l.Index()][:len(w.pairs[l.Index()])-1]
		}
		for i := 0; i < len(w.learned); i += 2 {
			w.proof.remove(w.learned[i].Not(), w.learned[i+1].Not())
		}
		w.learned = w.learned[:0]
	}
	for i, list := range w.longer {
		w.longer[i] = slices.DeleteFunc(list, func(by watch) bool { return int(by.from) >= w.own })
	}
	reasons := map[int32]cnf.Var{} // by place in clauses: the variable that the clause gave a value
	for _, l := range w.trail {
		if why := w.why[l.Var()-1]; why.to > 0 && int(why.from) >= w.own {
			reasons[why.from] = l.Var()
		}
	}
	all, old := w.long, len(w.long)/2
	end := int32(len(w.clauses))
	w.long, w.clauses = w.long[:0], w.clauses[:w.own]
	for i, from := range all {
		to := end
		if i+1 < len(all) {
			to = all[i+1]
		}
		lits := w.clauses[from:to:to]
		v, is := reasons[from]
		if i < old && !is {
			w.proof.remove(lits...)
			continue
		}
		by := reason{int32(len(w.clauses)), int32(len(w.clauses)) + to - from}
		w.clauses = append(w.clauses, lits...)
		w.long = append(w.long, by.from)
		w.watchFirst(by)
		if is {
			w.why[v-1] = by
		}
	}
}
