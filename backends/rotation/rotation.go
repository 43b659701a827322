package rotation

import (
	"slices"

	"queens/encode"
	"queens/encode/cnf"
)

// Model holds a value for each variable of a problem, and what changing them violates. It is a solution after each call of
// Flip that succeeds, if it was one before.
//
// A clause is looked at only when its witness, one of its true literals, becomes false. So a literal of thousands of clauses
// that changes to and fro costs little, since others become their witnesses. The true literals of other constraints are counted.
type Model struct {
	// Work counts the literals set so far.
	Work uint64

	propagator *encode.Propagator // lists the constraints of a literal
	fixed      []int8             // by literal: 0 if it may change
	literals   []cnf.Lit          // of the clauses, one after the other
	clauses    []clause           // each that is not in broken has a witness
	witness    []int32            // by literal: the first clause whose witness it is; none if that is -1
	counts     []count            // the other constraints
	counted    [][]int32          // by literal: those that contain it
	value      []bool             // by variable-1
	broken     []broken           // constraints that may be violated
	flipped    []cnf.Lit          // literals made true since Start
	locked     []uint32           // by variable-1: the last flip that has set it, as starts counts
	starts     uint32             // calls of Start
}

// clause has its literals at a place in a Model's literals, and the next clause with the same witness.
type clause struct{ from, to, next int32 }

// count is a constraint that counts its true literals. The sum of those that are true names the last one that is left, so that
// a long constraint need not be gone through for it.
type count struct {
	lits                    []cnf.Lit
	trues, least, most, sum int32
}

func (c *count) violated() bool { return c.trues < c.least || c.trues > c.most }

// broken is a constraint that may be violated: a count, or if the number is negative, the clause ^number. If a literal that
// became true was one too many, by is that literal; else by is 0.
type broken struct {
	number int32
	by     cnf.Lit
}

// New returns the Model in which all variables are false, solution or not. r is a Propagator for the problem;
// fixed, by literal, is not 0 for the variables that no repair may change, and belongs to the caller.
func New(p encode.Problem, r *encode.Propagator, fixed []int8) *Model {
	vars := p.AllVars()
	literals, clauses, counted := 0, 0, make([]int32, 2*vars)
	for _, c := range p.Constraints {
		if c.IsClause() {
			literals += len(c.Lits)
			clauses++
			continue
		}
		for _, l := range c.Lits {
			counted[l.Index()]++
		}
	}
	m := &Model{propagator: r, fixed: fixed, literals: make([]cnf.Lit, 0, literals), clauses: make([]clause, 0, clauses),
		witness: slices.Repeat([]int32{-1}, 2*vars), counts: make([]count, 0, len(p.Constraints)-clauses),
		counted: encode.Lists[int32](counted), value: make([]bool, vars), locked: make([]uint32, vars)}
	for _, c := range p.Constraints {
		if c.IsClause() {
			from := int32(len(m.literals))
			m.literals = append(m.literals, c.Lits...)
			m.clauses = append(m.clauses, clause{from, int32(len(m.literals)), -1})
			continue
		}
		n := count{c.Lits, 0, int32(c.Least), int32(c.Most), 0}
		for _, l := range c.Lits {
			m.counted[l.Index()] = append(m.counted[l.Index()], int32(len(m.counts)))
			if l < 0 {
				n.trues++
				n.sum += int32(l)
			}
		}
		if n.violated() {
			m.broken = append(m.broken, broken{int32(len(m.counts)), 0})
		}
		m.counts = append(m.counts, n)
	}
	for i := len(m.clauses) - 1; i >= 0; i-- { // so that a literal's clauses have their order
		m.breakOrWitness(int32(i))
	}
	return m
}

// isTrue reports whether a literal is true in the model.
func (m *Model) isTrue(l cnf.Lit) bool { return m.value[l.Var()-1] == l.Positive() }

// of returns the literals of a clause.
func (m *Model) of(clause int32) []cnf.Lit {
	return m.literals[m.clauses[clause].from:m.clauses[clause].to]
}

// trueOf returns a true literal of a clause, but not other; 0 if there is none.
func (m *Model) trueOf(clause int32, other cnf.Lit) cnf.Lit {
	for _, l := range m.of(clause) {
		if m.isTrue(l) && l != other {
			return l
		}
	}
	return 0
}

// breakOrWitness gives a clause that has no witness one of its true literals, or counts it as broken.
func (m *Model) breakOrWitness(clause int32) {
	if l := m.trueOf(clause, 0); l != 0 {
		m.clauses[clause].next, m.witness[l.Index()] = m.witness[l.Index()], clause
	} else {
		m.broken = append(m.broken, broken{^clause, 0})
	}
}

// Set makes a literal true in the model.
func (m *Model) Set(l cnf.Lit) {
	if m.isTrue(l) {
		return
	}
	m.Work++
	m.value[l.Var()-1] = l.Positive()
	m.flipped = append(m.flipped, l)
	for _, i := range m.counted[l.Index()] {
		c := &m.counts[i]
		c.sum += int32(l)
		if c.trues++; c.trues > c.most {
			m.broken = append(m.broken, broken{i, l})
		}
	}
	no := l.Not()
	for _, i := range m.counted[no.Index()] {
		c := &m.counts[i]
		c.sum -= int32(no)
		if c.trues--; c.trues < c.least {
			m.broken = append(m.broken, broken{i, 0})
		}
	}
	lost := m.witness[no.Index()]
	m.witness[no.Index()] = -1
	for lost >= 0 {
		next := m.clauses[lost].next
		m.breakOrWitness(lost)
		lost = next
	}
}

// A flip that changes more literals, or touches more constraints, seldom succeeds. The limit of constraints
// keeps a variable that nearly all of them contain, as models of systems have, from being flipped again and again.
const (
	mostFlips   = 64
	mostTouched = 1000
)

// Flip makes a literal true. Then it changes a literal in each constraint that is violated. It sets no
// variable twice and does not propagate, so its cost is proportional to the change. If it fails, it
// restores the model.
func (m *Model) Flip(l cnf.Lit) bool {
	m.Start()
	for touched := 0; len(m.flipped) < mostFlips && touched < mostTouched; {
		m.locked[l.Var()-1] = m.starts
		m.Set(l)
		next, violated := m.Next()
		if !violated {
			return true
		}
		if next == 0 {
			break
		}
		l = next
		touched += len(m.propagator.Of(l)) + len(m.propagator.Of(l.Not()))
	}
	m.Restore()
	return false
}

// Start begins a flip or a search: Restore undoes what comes after it.
func (m *Model) Start() {
	m.flipped = m.flipped[:0]
	m.starts++
}

// Restore undoes all changes since Start.
func (m *Model) Restore() {
	for k := len(m.flipped) - 1; k >= 0; k-- {
		m.Set(m.flipped[k].Not())
	}
	m.flipped = m.flipped[:0]
}

// Next returns the literal to make true in a constraint that is violated: of those that help and may
// change, the one that violates the fewest other constraints; 0 if none may change.
func (m *Model) Next() (l cnf.Lit, violated bool) {
	for len(m.broken) > 0 {
		last := len(m.broken) - 1
		b := m.broken[last]
		if b.number < 0 {
			m.broken = m.broken[:last]
			if m.breakOrWitness(^b.number); len(m.broken) > last { // it is there again
				return m.cheapest(m.of(^b.number), true), true
			}
			continue
		}
		c := &m.counts[b.number]
		switch {
		case c.trues == 2 && c.most == 1 && b.by != 0 && m.isTrue(b.by): // it and one more
			both := [2]cnf.Lit{cnf.Lit(c.sum) - b.by, b.by}
			return m.cheapest(both[:], false), true
		case c.violated():
			return m.cheapest(c.lits, c.trues < c.least), true
		}
		m.broken = m.broken[:last]
	}
	return 0, false
}

// cheapest returns the literal among lits, or if more is false among their negations, that violates the
// fewest constraints when it becomes true. It leaves out those that are true or may not change; it returns 0 if
// there are no others.
func (m *Model) cheapest(lits []cnf.Lit, more bool) cnf.Lit {
	best, fewest := cnf.Lit(0), 1<<30
	for _, l := range lits {
		if !more {
			l = l.Not()
		}
		if m.isTrue(l) || m.locked[l.Var()-1] == m.starts || m.fixed[l.Index()] != 0 {
			continue
		}
		if breaks := m.breaks(l, fewest); breaks < fewest {
			if best, fewest = l, breaks; breaks == 0 {
				break
			}
		}
	}
	return best
}

// breaks returns the number of constraints that become violated when a literal becomes true. Once it has counted limit of them, it
// leaves out further clauses, and in any case those that are in broken already. For a literal whose constraints are too many to look
// at, it returns their number.
func (m *Model) breaks(l cnf.Lit, limit int) (number int) {
	no := l.Not()
	if all := len(m.propagator.Of(no)) + len(m.counted[l.Index()]); all > mostTouched {
		return all
	}
	for _, i := range m.counted[no.Index()] {
		if c := &m.counts[i]; c.trues == c.least {
			number++
		}
	}
	for _, i := range m.counted[l.Index()] {
		if c := &m.counts[i]; c.trues == c.most {
			number++
		}
	}
	for link := &m.witness[no.Index()]; *link >= 0 && number < limit; {
		i := *link
		next := &m.clauses[i].next
		other := m.trueOf(i, no)
		if other == 0 {
			number++
			link = next
			continue
		}
		first := &m.witness[other.Index()] // the other literal is now its witness, so that it need not be looked at again
		*link, *next, *first = *next, *first, i
	}
	return number
}

// Keep ends a search whose changes, by [Model.Set], leave no constraint violated.
func (m *Model) Keep() {
	mended := m.broken
	m.broken = m.broken[:0]
	for _, b := range slices.Backward(mended) {
		if b.number < 0 {
			m.breakOrWitness(^b.number)
		}
	}
	m.flipped = slices.DeleteFunc(m.flipped, func(l cnf.Lit) bool { return !m.isTrue(l) })
}

// Violated reports whether a constraint is violated. It looks only at those that a change since the last solution may have violated.
func (m *Model) Violated() bool {
	return slices.ContainsFunc(m.broken, func(b broken) bool {
		if b.number < 0 {
			return m.trueOf(^b.number, 0) == 0
		}
		return m.counts[b.number].violated()
	})
}

// Flipped returns the literals that the last change made true; the next one overwrites them.
func (m *Model) Flipped() []cnf.Lit { return m.flipped }

// Values returns the values by variable-1. The next change overwrites them.
func (m *Model) Values() []bool { return m.value }
