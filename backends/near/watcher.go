package near

import (
	"queens/encode"
	"queens/encode/cnf"
)

// watcher does unit propagation over a problem's constraints, as [encode.Propagator] does. A clause watches two
// of its literals and is looked at only when one of them becomes false (Moskewicz, Madigan, Zhao, Zhang and
// Malik, Chaff, DAC 2001), so a literal costs a tenth of the Propagator's time, and undoing it next to nothing.
// The Propagator knows at any time what is left of each constraint; the watcher does not.
type watcher struct {
	value   []int8      // by literal: 1 is true, -1 false, 0 open
	pairs   [][]cnf.Lit // by literal: what follows from it by a clause of two literals
	clauses []cnf.Lit   // all longer clauses; each watches its first two literals
	longer  [][]watch   // by literal: the clauses that watch it
	counts  []count     // the other constraints
	counted [][]int32   // by literal: those that contain it

	trail []cnf.Lit // true literals, in the order in which they were set
	done  int       // literals of the trail whose consequences are set
	place []int32   // by variable-1: its place in the trail, if it has a value
	why   []reason  // by variable-1: what its literal on the trail follows from

	propagated uint64 // steps, in all: see searcher.steps

	// The last contradiction: no is false, but follows from conflict; if no is 0, conflict is a count that is violated.
	no       cnf.Lit
	conflict reason
}

// reason is what a literal follows from: a clause, by its place in clauses; the literal from, if to is byPair; the count
// from, if to is byMany or byFew: as many of its literals are true, or as few, as may be. The zero value stands for none.
type reason struct{ from, to int32 }

const (
	byPair = -1 - iota
	byMany
	byFew
)

// watch is a clause in the list of a literal that it watches.
type watch struct {
	other    cnf.Lit // one of its other literals: while it is true, nothing follows
	from, to int32   // its place in clauses
}

// count is a constraint that counts its true literals.
type count struct {
	lits  []cnf.Lit
	room  int32 // number of its literals that may still become true: below 0, the count is violated
	spare int32 // number of its literals that may still become false, likewise
}

// newWatcher returns a watcher for constraints over this many variables. It sets nothing: what follows from the
// constraints alone is for the caller to know.
func newWatcher(vars int, constraints []encode.Constraint) *watcher {
	w := &watcher{value: make([]int8, 2*vars), place: make([]int32, vars), why: make([]reason, vars)}
	literals, pairs, counted, watches := 0, make([]int32, 2*vars), make([]int32, 2*vars), make([]int32, 2*vars)
	for _, c := range constraints {
		if a, b, is := pair(c); is {
			pairs[a.Not().Index()]++
			pairs[b.Not().Index()]++
		} else if c.IsClause() && len(c.Lits) > 2 {
			literals += len(c.Lits)
			watches[c.Lits[0].Index()]++
			watches[c.Lits[1].Index()]++
		} else {
			for _, l := range c.Lits {
				counted[l.Index()]++
			}
		}
	}
	w.pairs, w.longer, w.counted = encode.Lists[cnf.Lit](pairs), encode.Lists[watch](watches), encode.Lists[int32](counted)
	w.clauses = make([]cnf.Lit, 0, literals)
	for _, c := range constraints {
		if a, b, is := pair(c); is {
			w.pairs[a.Not().Index()] = append(w.pairs[a.Not().Index()], b)
			w.pairs[b.Not().Index()] = append(w.pairs[b.Not().Index()], a)
		} else if c.IsClause() && len(c.Lits) > 2 {
			from := int32(len(w.clauses))
			w.clauses = append(w.clauses, c.Lits...)
			w.watchFirst(reason{from, from + int32(len(c.Lits))})
		} else {
			for _, l := range c.Lits {
				w.counted[l.Index()] = append(w.counted[l.Index()], int32(len(w.counts)))
			}
			w.counts = append(w.counts, count{c.Lits, int32(c.Most), int32(len(c.Lits) - c.Least)})
		}
	}
	return w
}

// pair returns the literals of a clause of two that says the same as the constraint, if one does.
func pair(c encode.Constraint) (a, b cnf.Lit, is bool) {
	switch {
	case len(c.Lits) != 2:
		return 0, 0, false
	case c.IsClause():
		return c.Lits[0], c.Lits[1], true
	}
	return c.Lits[0].Not(), c.Lits[1].Not(), c.Least == 0 && c.Most == 1
}

func (w *watcher) watch(l cnf.Lit, by watch) { w.longer[l.Index()] = append(w.longer[l.Index()], by) }

// watchFirst watches the first two literals of a clause.
func (w *watcher) watchFirst(by reason) {
	a, b := w.clauses[by.from], w.clauses[by.from+1]
	w.watch(a, watch{b, by.from, by.to})
	w.watch(b, watch{a, by.from, by.to})
}

// isOpen reports whether a literal is neither true nor false.
func (w *watcher) isOpen(l cnf.Lit) bool { return w.value[l.Index()] == 0 }

// push makes true a literal that follows from by. If the literal is false, it records the contradiction and returns false.
func (w *watcher) push(l cnf.Lit, by reason) bool {
	i := l.Index()
	if w.value[i] == 0 {
		w.value[i], w.value[i^1] = 1, -1
		w.place[l.Var()-1], w.why[l.Var()-1] = int32(len(w.trail)), by
		w.trail = append(w.trail, l)
	} else if w.value[i] < 0 {
		w.no, w.conflict = l, by
		return false
	}
	return true
}

// propagate sets what follows. It returns false if that contradicts a constraint; then only undo may be called next.
func (w *watcher) propagate() (consistent bool) {
	for w.done < len(w.trail) {
		l := w.trail[w.done]
		w.done++
		w.propagated++
		if !w.countOne(l) {
			return false
		}
		for _, follows := range w.pairs[l.Index()] {
			if !w.push(follows, reason{int32(l), byPair}) {
				return false
			}
		}
		if !w.leave(l.Not()) {
			return false
		}
	}
	return true
}

// leave finds another literal to watch for each clause that watches a literal that has become false. Where
// there is none, the clause's other watched literal becomes true.
func (w *watcher) leave(no cnf.Lit) bool {
	list := w.longer[no.Index()]
	w.propagated += uint64(len(list) / 8)
	kept := list[:0]
next:
	for k, by := range list {
		if w.value[by.other.Index()] > 0 {
			kept = append(kept, by)
			continue
		}
		c := w.clauses[by.from:by.to]
		if c[0] == no {
			c[0], c[1] = c[1], no
		}
		by.other = c[0]
		if w.value[c[0].Index()] <= 0 {
			for j := 2; j < len(c); j++ {
				if w.value[c[j].Index()] >= 0 {
					c[1], c[j] = c[j], no
					w.watch(c[1], by)
					continue next
				}
			}
		}
		kept = append(kept, by)
		if !w.push(c[0], reason{by.from, by.to}) {
			w.longer[no.Index()] = append(kept, list[k+1:]...)
			return false
		}
	}
	w.longer[no.Index()] = kept
	return true
}

// countOne counts a true literal, and sets what follows. It counts it in all constraints even after a
// contradiction, so that undo finds what it expects.
func (w *watcher) countOne(l cnf.Lit) bool {
	ok := true
	for _, i := range w.counted[l.Index()] {
		c := &w.counts[i]
		if c.room--; c.room < 0 {
			w.no, w.conflict, ok = 0, reason{i, byMany}, false
		}
	}
	for _, i := range w.counted[l.Not().Index()] {
		c := &w.counts[i]
		if c.spare--; c.spare < 0 {
			w.no, w.conflict, ok = 0, reason{i, byFew}, false
		}
	}
	if !ok {
		return false
	}
	for _, i := range w.counted[l.Index()] {
		if w.counts[i].room == 0 {
			w.setRest(-1, reason{i, byMany})
		}
	}
	for _, i := range w.counted[l.Not().Index()] {
		if w.counts[i].spare == 0 {
			w.setRest(1, reason{i, byFew})
		}
	}
	return true
}

// setRest makes the open literals of a count false (sign -1) or true (1). Literals of the trail that are not yet
// counted may contradict it; counting them will tell.
func (w *watcher) setRest(sign cnf.Lit, by reason) {
	for _, l := range w.counts[by.from].lits {
		if w.isOpen(l) {
			w.push(sign*l, by)
		}
	}
}

// undo returns to the state in which the trail had this length.
func (w *watcher) undo(length int) {
	for k := len(w.trail) - 1; k >= length; k-- {
		l := w.trail[k]
		w.value[l.Index()], w.value[l.Not().Index()] = 0, 0
		if k < w.done {
			for _, i := range w.counted[l.Index()] {
				w.counts[i].room++
			}
			for _, i := range w.counted[l.Not().Index()] {
				w.counts[i].spare++
			}
		}
	}
	w.trail = w.trail[:length]
	w.done = min(w.done, length)
}
